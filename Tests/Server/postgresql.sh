# Runs the statements for PostgreSQL with psql. Part of Tests/Server/run.

install -d -m 700 -o postgres "$work/pg" "$work/socket"
postgres initdb -D "$work/pg" -A trust --no-sync >/dev/null
postgres pg_ctl -D "$work/pg" -w -o "-k $work/socket -h ''" -l "$work/pg/log" start >/dev/null
# psql runs as the same user, who can't read the sources.
tables=$(sed '/^-- A registration/,$d' "$example/postgresql.sql")
statements=$(sed -n '/^-- A registration/,$p' "$example/postgresql.sql")
# sql SQL: runs it in a session of its own, with the prepared statements.
sql() { postgres psql -h "$work/socket" -d postgres -qAtX -v ON_ERROR_STOP=1 <<<"$statements"$'\n'"$1"; }
postgres psql -h "$work/socket" -d postgres -qAtX -v ON_ERROR_STOP=1 <<<"$tables"
expect() {
    local result
    result=$(sql "$2")
    [ "$result" = "$3" ] || fail "PostgreSQL: $1: $result instead of $3"
}

expect "a new registration" "EXECUTE store_recipient('anna', '0a', '1', 100); EXECUTE find_recipients('anna', 20)" 1
expect "a newer one" "EXECUTE store_recipient('anna', '0a', '2', 200); EXECUTE find_recipients('anna', 20)" 2
expect "another user" "EXECUTE store_recipient('ben', '0a', '3', 300); EXECUTE find_recipients('anna', 20)" 2

expect "challenges" "EXECUTE store_challenges('0a', '1', 100); EXECUTE store_challenges('0a', '2', 200);
    EXECUTE store_challenges('0b', '3', 300); EXECUTE find_challenges('0a')" 2
expect "forgotten challenges" "EXECUTE forget_challenges(201, 9); EXECUTE find_challenges('0a');
    EXECUTE find_challenges('0b')" 3

# Two first registrations at a time: the second must find what the first has stored.
register() {
    sql "BEGIN; $1 CREATE TEMPORARY TABLE found AS EXECUTE find_recipients('$2', 20);
        SELECT coalesce((SELECT recipient::int FROM found), 0) + 1 AS next \gset
        SELECT pg_sleep(1); EXECUTE store_recipient('$2', '0b', :'next', 1); COMMIT;"
}
both() {
    register "$1" "$2" >/dev/null &
    local first=$!
    register "$1" "$2" >/dev/null
    wait "$first"
    sql "EXECUTE find_recipients('$2', 20)"
}
[ "$(both "EXECUTE lock_account('carl');" carl)" = 2 ] || fail "PostgreSQL: one of two registrations was lost."
[ "$(both "" cora)" = 1 ] || fail "PostgreSQL: without the lock, no registration was lost, so the test shows nothing."

# A push that was found invalid, before and after the last registration.
expect "an older 410" "EXECUTE delete_invalid('0a', 199); EXECUTE find_recipients('anna', 20)" 2
expect "a newer 410" "EXECUTE delete_invalid('0a', 200); EXECUTE find_recipients('anna', 20)" ""
expect "the later user" "EXECUTE find_recipients('ben', 20)" 3

expect "the devices above the limit" \
    "EXECUTE store_recipient('dora', '0a', '1', 100); EXECUTE store_recipient('dora', '0b', '2', 200);
    EXECUTE store_recipient('dora', '0c', '3', 300); EXECUTE find_oldest('dora', '0d', 1)" $'0b|200\n0a|100'
expect "the devices of a message" "EXECUTE find_recipients('dora', 2)" $'3\n2'
expect "all devices, in pages" "EXECUTE find_next('', '', 2); EXECUTE find_next('carl', '0b', 1); EXECUTE find_next('dora', '0c', 1)" \
    $'ben|0a\ncarl|0b\ncora|0b'
sql "EXECUTE expire(2, 9)" >/dev/null
expect "devices without renewal" "EXECUTE expire(300, 1); EXECUTE expire(300, 9); EXECUTE find_recipients('dora', 9)" \
    $'dora|0a\ndora|0b\n3'

enqueue="EXECUTE enqueue('id-1', 'm-1', 'ben', '0a', '\x7b7d', 900, 10);
    EXECUTE enqueue('id-2', 'm-1', 'ben', '0b', '\x7b', 900, 10);"
expect "a message that is posted twice" "$enqueue $enqueue EXECUTE waiting_count" 2

# Two servers take different pushes, also while the first one's transaction is open.
one='1|id-1|0a|\x7b7d|900|' two='2|id-2|0b|\x7b|900|'
: >"$work/first" >"$work/message"
sql "BEGIN; EXECUTE take(20, 80, 1); SELECT pg_sleep(600);" >"$work/first" 2>/dev/null &
pids+=($!)
until grep -q id-1 "$work/first" || ! kill -0 $!; do sleep 0.1; done
expect "the second server" "EXECUTE take(20, 80, 9)" "${two}1|80"
sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()" >/dev/null
expect "after the first one's death" "EXECUTE take(20, 80, 9)" "${one}1|80"
expect "leases that haven't ended" "EXECUTE take(79, 140, 9)" ""
# The rows have no order.
result=$(sql "EXECUTE take(80, 140, 9)" | sort)
[ "$result" = "${one}2|140"$'\n'"${two}2|140" ] || fail "PostgreSQL: leases that have ended: $result"
expect "a retry after the lease" "EXECUTE retry(20, 1, 80); EXECUTE take(100, 200, 9)" ""
expect "a throttled push before its time" "EXECUTE retry(110, 1, 140); EXECUTE take(109, 200, 9)" ""
expect "a throttled push at its time" "EXECUTE take(110, 200, 9)" "${one}3|200"

expect "an answer" "EXECUTE finish(500, NULL, 1); EXECUTE take(300, 400, 9)" "${two}3|400"
expect "only the first answer" \
    "EXECUTE finish(600, 'late', 1); SELECT finished, error, payload, leased_until FROM outbox WHERE sequence = 1" '500|||0'

# A sign-out waits for a message that is being added, and drops its push.
sql "EXECUTE store_recipient('emil', '0e', '1', 100)"
sql "BEGIN; EXECUTE find_recipients('emil', 20); SELECT pg_sleep(2);
    EXECUTE enqueue('id-3', 'm-2', 'emil', '0e', '\x7b', 900, 10); COMMIT;" >"$work/message" &
message=$!
until grep -q 1 "$work/message" || ! kill -0 $message; do sleep 0.1; done
sql "BEGIN; EXECUTE delete_recipient('emil', '0e'); EXECUTE drop_waiting(450, 'emil', '0e'); COMMIT;"
wait "$message"
expect "a sign-out meanwhile" "SELECT error FROM outbox WHERE message = 'm-2'" deleted

expect "a device that is deleted" \
    "EXECUTE delete_recipient('ben', '0a'); EXECUTE drop_waiting(700, 'ben', '0b'); EXECUTE find_recipients('ben', 20);
    EXECUTE waiting_count; SELECT error FROM outbox WHERE sequence = 2" $'0\ndeleted'
expect "what is forgotten" "EXECUTE forget(600, 1); SELECT apns_id FROM outbox ORDER BY 1;
    EXECUTE forget(600, 9); SELECT apns_id FROM outbox" $'id-1\nid-2\nid-2'
echo "The statements for PostgreSQL pass, and the control without the lock loses a registration."
