# nghttpx, which ends connections with GOAWAY in two phases, in front of nghttpd.

begin "nghttpx: start"
free_port
backend=$port
start nghttpd -a 127.0.0.1 -d www --no-tls -m 1000 "$port"

# nghttpx is one process, unless its end by SIGQUIT is wanted.
processes=--single-process
start_nghttpx() {
    start nghttpx $processes -f "127.0.0.1,$port" -b "127.0.0.1,$backend;;proto=h2" --accesslog-file=access.log \
        --accesslog-format='$path $status' --errorlog-file=server.log --no-ocsp "$@" server.key server.pem
}

nghttpx_requests() { cut -d' ' -f1 access.log >requests; }

# nghttpx_case NAME COUNT BYTES ARGUMENT...
nghttpx_case() {
    begin "nghttpx: $1"
    make_lines "$2" "$3"
    shift 3
    free_port
    start_nghttpx "$@"
    run_send
    check_answers
    nghttpx_requests
    check_requests
    stop
}

nghttpx_case "100 streams" 1000 20
nghttpx_case "1 stream" 200 20 --frontend-http2-max-concurrent-streams=1
nghttpx_case "windows of 1 byte" 20 100 --frontend-http2-window-size=1
nghttpx_case "windows of 100 bytes" 200 1000 --frontend-http2-window-size=100
nghttpx_case "GOAWAY after 20 requests, again and again" 600 20 --frontend-max-requests=20
nghttpx_case "GOAWAY after each request" 100 20 --frontend-max-requests=1
nghttpx_case "padding, and no table of headers" 300 20 --padding=255 \
    --frontend-http2-encoder-dynamic-table-size=0 --frontend-http2-decoder-dynamic-table-size=0

# wait_for_answers COUNT: waits until the output has so many lines, or the command has ended.
wait_for_answers() {
    until [ -e exit-status ] || [ "$(cat answers 2>/dev/null | wc -l)" -ge "$1" ]; do sleep 0.02; done
}

# Writes a part of the lines, and the next one when the server has been replaced. It ends with this script.
feed() {
    for part in 1 2 3 4; do
        until [ -e "go.$part" ] || [ -e exit-status ] || ! kill -0 $$; do sleep 0.02; done
        sed -n "$((part * 500 - 499)),$((part * 500))p" lines
    done
}

# send_and_replace SIGNAL: sends 2000 lines to a server that ends three times, and is replaced.
send_and_replace() {
    make_lines 2000
    free_port
    start_nghttpx
    touch go.1
    (feed | { input=- && run_send && echo "$status" >exit-status; }) &
    sender=$!
    pids+=("$sender")
    for part in 1 2 3; do
        wait_for_answers $((part * 500 - 200))
        stop "$1"
        start_nghttpx
        touch "go.$((part + 1))"
    done
    wait "$sender" || true
    status=$(cat exit-status)
}

# It stops listening at once, announces the end by GOAWAY, and ends when all requests have their answers.
begin "nghttpx: it ends gracefully, and another one starts, three times"
processes=
send_and_replace QUIT
check_answers
nghttpx_requests
check_requests
stop TERM
processes=--single-process

begin "nghttpx: it is killed, and another one starts, three times"
patience=("${options[@]}")
[ ${#options[@]} -eq 0 ] || options=(--patience 10m)
send_and_replace KILL
options=("${patience[@]}")
# An outage can last longer than the command waits.
for _ in 1 2 3; do
    [ "$status" -eq 1 ] || break
    run_send --resume
done
check_answers
nghttpx_requests
[ "$(sort -u requests | wc -l)" -eq "$count" ] || fail "a line has an answer and no request"
stop

begin "nghttpx: a server behind it that is away"
make_lines 5
free_port
backend=1
start_nghttpx
run_send
[ "$(wc -l <answers)" -eq 5 ] || fail "$(wc -l <answers) answers for 5 lines"
jq -c 'select((.status // 0) < 500 or .error.advice != "retry")' answers >answers.other
[ ! -s answers.other ] || fail "other answers: $(head -n 2 answers.other)"
stop
