# Kills the server while it sends. Part of Tests/Server/run.

# Each message goes to two users with the most devices that a user may have.
kills=10 messages=300 devices=40
apns=.build-traits/debug/pushcrypt
mkdir -m 700 "$work/apns" "$work/server"
record=$work/record settings=$work/server/settings.json database=$work/server/server.sqlite

# It ends with its standard input.
mkfifo "$work/end"
exec 9<>"$work/end"
: >"$record"
"$apns" testserver --end-with-input "$work/apns" <&9 >>"$record" 2>/dev/null &
pids+=($!)
until grep -q port "$record"; do sleep 0.1; done
port=$((20000 + RANDOM % 20000))
jq --arg directory "$work" --argjson port "$port" '{
    port: $port, database: "\($directory)/server/server.sqlite", keyring: "\($directory)/server/server.jwks",
    topic, operatorToken: "operator-secret", userTokens: {anna: "annas-secret", ben: "bens-secret"},
    p8: "\($directory)/apns/key.p8", keyID, teamID,
    apns: {host, port, ca: "\($directory)/apns/ca.pem"}}' <(head -1 "$record") >"$settings"
if .build-traits/debug/ExampleServer "$settings" 2>"$work/refusal"; then fail "Settings that others can read were used."; fi
grep -q 'Run: chmod 600' "$work/refusal" || fail "Settings that others can read: $(cat "$work/refusal")"
chmod 600 "$settings"

request() {
    local method=$1 path=$2 token=$3
    shift 3
    curl -sS -o /dev/null -w '%{http_code}' -m 10 -X "$method" -H "Authorization: Bearer $token" "$@" \
        "http://127.0.0.1:$port$path" 2>/dev/null || true
}
start() {
    .build-traits/debug/ExampleServer "$settings" >>"$work/log" 2>&1 &
    server=$!
    pids+=("$server")
    for _ in {1..200}; do
        [ "$(request GET /health operator-secret)" != 200 ] || return 0
        sleep 0.05
    done
    tail "$work/log" >&2
    fail "The server didn't start."
}
count() { sqlite3 -cmd '.timeout 5000' "$database" "$1"; }

start
key=$(openssl genpkey -algorithm X25519 -outform DER | openssl pkey -inform DER -pubout -outform DER |
    tail -c 32 | base64 | tr '+/' '-_' | tr -d '=')
registration=$(jq -nc --arg x "$key" \
    '{created: 1767225600, generation: 1, key: {kty: "OKP", crv: "X25519", use: "enc", x: $x}, lifetime: 604800}')
for ((device = 0; device < devices; device++)); do
    printf -v token '%064x' $((device + 1))
    body=$(jq -nc --arg token "$token" --arg registration "$registration" '{$token, $registration}')
    secret=annas-secret
    [ $((device % 2)) -eq 0 ] || secret=bens-secret
    [ "$(request POST /registrations "$secret" --data "$body")" = 204 ] || fail "Device $device wasn't registered."
done

# The operator repeats each request until it is answered.
post() {
    local message id user
    for ((message = 0; message < messages; message++)); do
        id=$(cat /proc/sys/kernel/random/uuid)
        for user in anna ben; do
            until [ "$(request POST "/messages?user=$user&id=$id" operator-secret \
                --data '{"aps":{"alert":"Card payment"}}')" = 202 ]; do sleep 0.02; done
        done
        echo "$id" >>"$work/messages"
    done
}
post &
poster=$!
pids+=("$poster")
middle=0
for ((kill = 0; kill < kills; kill++)); do
    sleep "0.$((RANDOM % 6 + 3))"
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    [ "$(count 'SELECT count(*) FROM outbox WHERE finished IS NULL')" -eq 0 ] || middle=$((middle + 1))
    # What the killed server had written may still arrive.
    sleep 0.2
    echo '{"restart":true}' >>"$record"
    start
done
wait "$poster"
for _ in {1..600}; do
    [ "$(count 'SELECT count(*) FROM outbox WHERE finished IS NULL')" -ne 0 ] || break
    sleep 0.1
done

posted=$(wc -l <"$work/messages")
[ "$posted" -eq "$messages" ] || fail "$posted of $messages messages were posted."
sort "$work/messages" >"$work/posted"
count 'SELECT message FROM outbox GROUP BY message ORDER BY message' | diff - "$work/posted" >"$work/difference" ||
    fail "The outbox has other messages than were posted: $(head -3 "$work/difference")"
pushes=$(count 'SELECT count(*) FROM outbox WHERE finished IS NOT NULL AND error IS NULL')
[ "$pushes" -eq $((messages * devices)) ] || fail "$pushes pushes were accepted instead of $((messages * devices))."

# Each push is in the record, and at most once between two kills.
count 'SELECT apns_id FROM outbox' | sort >"$work/sent"
jq -r 'select(.["apns-id"] and (.device | test("^0+$") | not)) | .["apns-id"] | ascii_downcase' "$record" |
    sort >"$work/accepted"
sort -u "$work/accepted" | diff - "$work/sent" >"$work/difference" ||
    fail "Pushes were lost, or have other IDs: $(head -3 "$work/difference")"
repeated=$(jq -r 'if .restart then "restart" else .["apns-id"] // empty end' "$record" |
    awk '$1 == "restart" { run++; next } seen[run, $1]++ { print $1 }')
[ -z "$repeated" ] || fail "Pushes were accepted twice without a kill in between: $(echo "$repeated" | head -3)"
twice=$(uniq -d "$work/accepted" | wc -l)
# Each kill leaves at most 100 requests without an answer.
[ "$twice" -le $((kills * 100)) ] || fail "$twice pushes were accepted twice."
[ "$middle" -ge $((kills * 7 / 10)) ] || fail "Only $middle of $kills kills were in the middle of sending."
echo "$pushes pushes, $middle of $kills kills in the middle of sending: none lost, $twice accepted twice after a kill."
kill "$server"
wait "$server" || fail "The server didn't stop."
