# Servers that get no push: the command ends at once, and says why.

# refused_case NAME CODE PATTERN COMMAND...
refused_case() {
    begin "$1"
    local code=$2 pattern=$3
    shift 3
    make_lines 50
    start "$@"
    run_send
    stop
    check_refusal "$code" "$pattern"
}

free_port
refused_case "openssl: HTTP/1 only" no-connection "HTTP/2|APPLICATION_PROTOCOL" \
    openssl s_server -quiet -www -alpn http/1.1 -cert server.pem -key server.key -accept "127.0.0.1:$port"
free_port
refused_case "openssl: no ALPN" no-connection "HTTP/2|APPLICATION_PROTOCOL" \
    openssl s_server -quiet -www -cert server.pem -key server.key -accept "127.0.0.1:$port"
free_port
refused_case "nghttpd: another certificate" no-connection "[Cc]ertificate" \
    nghttpd -a 127.0.0.1 -d www "$port" other.key other.pem
free_port
refused_case "nghttpd: no TLS" no-connection "TLS" \
    nghttpd -a 127.0.0.1 -d www --no-tls "$port"
free_port
refused_case "nghttpd: a client certificate is required" no-connection "." \
    nghttpd -a 127.0.0.1 -d www -V "$port" server.key server.pem

begin "nobody listens, and --resume sends what wasn't sent"
make_lines 50
free_port
run_send
check_refusal no-connection "."
start nghttpd -v -a 127.0.0.1 -d www "$port" server.key server.pem
run_send --resume
stop TERM
check_answers
nghttpd_requests
check_requests
