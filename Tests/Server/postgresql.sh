# Runs the statements for PostgreSQL with psql. Part of Tests/Server/run.

install -d -m 700 -o postgres "$work/pg" "$work/socket"
postgres initdb -D "$work/pg" -A trust --no-sync >/dev/null
postgres pg_ctl -D "$work/pg" -w -o "-k $work/socket -h ''" -l "$work/pg/log" start >/dev/null
# psql runs as the same user, who can't read the sources.
statements=$(cat "$example/postgresql.sql")
# sql SQL: runs it in a session of its own, with the prepared statements.
sql() { postgres psql -h "$work/socket" -d postgres -qAtX -v ON_ERROR_STOP=1 <<<"$statements"$'\n'"$1"; }
expect() {
    local result
    result=$(sql "$2")
    [ "$result" = "$3" ] || fail "PostgreSQL: $1: $result instead of $3"
}

expect "a new registration" "EXECUTE store_recipient('anna', '0a', '1', 100); EXECUTE find_recipient('anna', '0a')" 1
expect "a newer one" "EXECUTE store_recipient('anna', '0a', '2', 200); EXECUTE find_recipient('anna', '0a')" 2
expect "another user" "EXECUTE store_recipient('ben', '0a', '3', 300); EXECUTE find_recipients('anna')" 2

# Two first registrations at a time: the second must find what the first has stored.
register() {
    sql "BEGIN; $1 CREATE TEMPORARY TABLE found AS EXECUTE find_recipient('carl', '$2');
        SELECT coalesce((SELECT recipient::int FROM found), 0) + 1 AS next \gset
        SELECT pg_sleep(1); EXECUTE store_recipient('carl', '$2', :'next', 1); COMMIT;"
}
both() {
    register "$1" "$2" >/dev/null &
    local first=$!
    register "$1" "$2" >/dev/null
    wait "$first"
    sql "EXECUTE find_recipient('carl', '$2')"
}
[ "$(both "EXECUTE lock_recipient('carl', '0b');" 0b)" = 2 ] || fail "PostgreSQL: one of two registrations was lost."
[ "$(both "" 0c)" = 1 ] || fail "PostgreSQL: without the lock, no registration was lost, so the test shows nothing."

# A push that was found invalid, before and after the last registration.
expect "an older 410" "EXECUTE delete_invalid('0a', 199); EXECUTE find_recipients('anna')" 2
expect "a newer 410" "EXECUTE delete_invalid('0a', 200); EXECUTE find_recipients('anna')" ""
expect "the later user" "EXECUTE find_recipients('ben')" 3

enqueue="EXECUTE enqueue('id-1', 'm-1', 'ben', '0a', '\x7b7d', 900); EXECUTE enqueue('id-2', 'm-1', 'ben', '0b', '\x7b', 900);"
expect "a message that is posted twice" "$enqueue $enqueue EXECUTE waiting_count" 2

# Two servers take different pushes. The death of one gives its push back.
sql "BEGIN; EXECUTE take; SELECT pg_sleep(600);" >"$work/first" 2>/dev/null &
pids+=($!)
until grep -q id-1 "$work/first" || ! kill -0 $!; do sleep 0.1; done
expect "the second server" "EXECUTE take" '2|id-2|0b|\x7b|900'
sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()" >/dev/null
expect "after the first one's death" "EXECUTE take" '1|id-1|0a|\x7b7d|900'

expect "an answer" "EXECUTE finish(500, NULL, 1); EXECUTE take" '2|id-2|0b|\x7b|900'
expect "only the first answer" \
    "EXECUTE finish(600, 'late', 1); SELECT finished, error, payload FROM outbox WHERE sequence = 1" '500||'
expect "a device that is deleted" \
    "EXECUTE delete_recipient('ben', '0a'); EXECUTE drop_waiting(700, 'ben', '0b'); EXECUTE find_recipients('ben');
    EXECUTE waiting_count; SELECT error FROM outbox WHERE sequence = 2" $'0\ndeleted'
expect "what is forgotten" "EXECUTE forget(600); SELECT apns_id FROM outbox" id-2
echo "The statements for PostgreSQL pass, and the control without the lock loses a registration."
