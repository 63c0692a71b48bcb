# nghttpd with settings that APNs has, and with odd ones.

# nghttpd_case NAME COUNT BYTES ARGUMENT...
nghttpd_case() {
    begin "nghttpd: $1"
    make_lines "$2" "$3"
    shift 3
    [[ " $* " != *" --echo-upload "* ]] || echoes=yes
    free_port
    start nghttpd -v -a 127.0.0.1 -d www "$@" "$port" server.key server.pem
    run_send
    # It writes its log at its end.
    stop TERM
    check_answers
    nghttpd_requests
    check_requests
}

nghttpd_case "100 streams" 1000 20 -m 100
nghttpd_case "1 stream" 200 20 -m 1
nghttpd_case "3 streams" 400 3000 -m 3
nghttpd_case "1000 streams" 2000 20 -m 1000
nghttpd_case "windows of 15 bytes" 50 200 -w 4
nghttpd_case "windows of 255 bytes" 200 3000 -w 8
nghttpd_case "windows of 2^30 - 1 bytes" 200 3000 -w 30 -W 30
nghttpd_case "no tables of headers" 300 20 -c 0 --encoder-header-table-size 0
nghttpd_case "a large table of headers" 300 20 -c 1M
nghttpd_case "padding" 300 20 -b 255
nghttpd_case "answers before the end of the request" 300 3000 --early-response
nghttpd_case "answers with the request's body" 300 3900 --echo-upload
nghttpd_case "trailers, and no length" 300 20 --trailer "x: y" --no-content-length --echo-upload
nghttpd_case "bodies in gzip" 300 20 -e
nghttpd_case "no priorities" 300 20 --no-rfc7540-pri
nghttpd_case "server push that the client hasn't allowed" 100 20 -p "/3/device/$(device 1)=/3/device/$(device 2)"
nghttpd_case "four threads" 1000 20 -n 4
