# Functions of Tests/Sending/servers, whose directory for files is the current one.

fail() {
    echo "Tests/Sending/servers: $scenario: $1" >&2
    [ ! -s errors ] || tail -n 5 errors >&2
    exit 1
}

begin() {
    scenario=$1
    echo "$scenario"
    echoes=no
    input=lines
    rm -f answers answers.* go.* exit-status errors server.log access.log token
}

# A device of each number has a file on the server, unless the number ends in 7: the server answers 404 to those.
device() { printf '%064x' "$1"; }
has_file() { [ $(($1 % 10)) -ne 7 ]; }

# make_lines COUNT [BYTES]: lines whose payloads have about that many bytes.
make_lines() {
    local text
    text=$(printf 'x%.0s' $(seq "${2:-20}"))
    for ((number = 1; number <= $1; number++)); do
        printf '{"id":%d,"token":"%s","headers":{"apns-topic":"com.example.app"},"payload":{"aps":{"alert":"%s"}}}\n' \
            "$number" "$(device "$number")" "$text"
    done >lines
    count=$1
}

# start PROGRAM ARGUMENT...: starts a server on the port of the variable, and waits until it listens.
start() {
    "$@" </dev/null >>server.log 2>&1 &
    server=$!
    pids+=("$server")
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        kill -0 "$server" 2>/dev/null || fail "$1 doesn't start: $(tail -n 3 server.log)"
        sleep 0.05
    done
}

# stop [SIGNAL]: ends the server, and waits for its end.
stop() {
    kill "-${1:-KILL}" "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}

free_port() {
    while :; do
        port=$((20000 + RANDOM % 12000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
    done
}

# run_send ARGUMENT...: sends the lines, and keeps the exit status in the variable.
run_send() {
    status=0
    "$tool" send --lines --unsealed "${options[@]}" --p8 key.p8 --key-id ABC123DEFG --team-id DEF123GHIJ \
        --token-file token --host localhost --port "$port" --ca ca.pem -o answers "$@" "$input" 2>>errors || status=$?
}

# check_answers: each line has its answer, in order: 200, or 404 if the server has no file and doesn't echo requests.
check_answers() {
    local wanted=65
    [ "$echoes" = no ] || wanted=0
    [ "$status" -eq "$wanted" ] || fail "the exit status is $status instead of $wanted"
    [ "$(wc -l <answers)" -eq "$count" ] || fail "$(wc -l <answers) answers for $count lines"
    jq -r '[.id, .status] | @tsv' answers >answers.seen
    for ((number = 1; number <= count; number++)); do
        local code=404
        if has_file "$number" || [ "$echoes" = yes ]; then code=200; fi
        printf '%d\t%d\n' "$number" "$code"
    done >answers.wanted
    cmp -s answers.seen answers.wanted || fail "other answers: $(diff answers.wanted answers.seen | head -n 5)"
}

# nghttpd_requests: reads the log of nghttpd, which it writes at its end.
nghttpd_requests() { grep -oE ':path: /3/device/[0-9a-f]+' server.log | cut -d' ' -f2 >requests || true; }

# check_requests: the server's log has each device once. Its lines are paths.
check_requests() {
    for ((number = 1; number <= count; number++)); do echo "/3/device/$(device "$number")"; done | sort >requests.wanted
    sort requests >requests.sorted
    cmp -s requests.sorted requests.wanted || fail "other requests: $(diff requests.wanted requests.sorted | head -n 5)"
}

# check_refusal CODE PATTERN: nothing was sent, and the command says why.
check_refusal() {
    [ "$status" -eq 1 ] || fail "the exit status is $status instead of 1"
    grep -qE "\[$1\]" errors || fail "the code $1 is missing"
    grep -qE -- "$2" errors || fail "the cause is missing: $2"
    [ "$(jq -c 'select(.status == 200)' answers | wc -l)" -eq 0 ] || fail "a push was accepted"
}

# An earlier tool has no outages to wait for.
options=()
! "$tool" send --help | grep -q -- --patience || options=(--patience 0s)

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout server.key -out server.pem 2>/dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout other.key -out other.pem 2>/dev/null
cp server.pem ca.pem
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.p8
chmod 600 key.p8
mkdir -p www/3/device
for ((number = 1; number <= 2000; number++)); do
    if has_file "$number"; then : >"www/3/device/$(device "$number")"; fi
done
