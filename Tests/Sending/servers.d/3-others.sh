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
refused_case "openssl: HTTP/1 only" no-connection "doesn't speak HTTP/2" \
    openssl s_server -quiet -www -alpn http/1.1 -cert server.pem -key server.key -accept "127.0.0.1:$port"
free_port
refused_case "openssl: no ALPN" no-connection "doesn't speak HTTP/2" \
    openssl s_server -quiet -www -cert server.pem -key server.key -accept "127.0.0.1:$port"
free_port
refused_case "nghttpd: another certificate" no-connection "CERTIFICATE_VERIFY_FAILED" \
    nghttpd -a 127.0.0.1 -d www "$port" other.key other.pem
free_port
refused_case "nghttpd: no TLS" no-connection "TLS failed" \
    nghttpd -a 127.0.0.1 -d www --no-tls "$port"
free_port
refused_case "nghttpd: a client certificate is required" no-connection "requires a certificate of the client" \
    nghttpd -a 127.0.0.1 -d www -V "$port" server.key server.pem
free_port
refused_case "openssl: a client certificate is required" no-connection "requires a certificate of the client" \
    openssl s_server -quiet -www -alpn h2 -Verify 1 -verify_return_error -CAfile other.pem -cert server.pem -key server.key \
    -accept "127.0.0.1:$port"

begin "nobody listens, and --resume sends what wasn't sent"
make_lines 50
free_port
run_send
check_refusal no-connection "refused the connection"
start nghttpd -v -a 127.0.0.1 -d www "$port" server.key server.pem
run_send --resume
stop TERM
check_answers
nghttpd_requests
check_requests
