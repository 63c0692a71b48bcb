-- The tables and statements of Store.swift and Outbox.swift for PostgreSQL 15. Prepare them on each connection.

SET client_min_messages = warning;

CREATE TABLE IF NOT EXISTS recipient (
    account text NOT NULL, device_token text NOT NULL, recipient text NOT NULL,
    registered bigint NOT NULL, PRIMARY KEY (account, device_token));
CREATE INDEX IF NOT EXISTS recipient_token ON recipient (device_token);
CREATE TABLE IF NOT EXISTS outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, apns_id text NOT NULL, message text NOT NULL,
    account text NOT NULL, device_token text NOT NULL, payload bytea, expiration bigint NOT NULL,
    finished bigint, error text, UNIQUE (message, account, device_token));
CREATE INDEX IF NOT EXISTS outbox_waiting ON outbox (sequence) WHERE finished IS NULL;

-- A registration: lock, find and store in one transaction. The lock makes two first registrations take turns, which
-- SELECT … FOR UPDATE doesn't, because there is no row to lock.
PREPARE lock_recipient (text, text) AS
    SELECT pg_advisory_xact_lock(hashtextextended($2 || ' ' || $1, 0));
PREPARE find_recipient (text, text) AS
    SELECT recipient FROM recipient WHERE account = $1 AND device_token = $2;
PREPARE store_recipient (text, text, text, bigint) AS
    INSERT INTO recipient (account, device_token, recipient, registered) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, device_token)
    DO UPDATE SET recipient = excluded.recipient, registered = excluded.registered;

PREPARE find_recipients (text) AS
    SELECT recipient FROM recipient WHERE account = $1;

-- Sign-out and reset: both in one transaction.
PREPARE delete_recipient (text, text) AS
    DELETE FROM recipient WHERE account = $1 AND device_token = $2;
PREPARE drop_waiting (bigint, text, text) AS
    UPDATE outbox SET finished = $1, error = 'deleted', payload = NULL
    WHERE account = $2 AND device_token = $3 AND finished IS NULL;

-- An answer with the status 410 and its timestamp.
PREPARE delete_invalid (text, bigint) AS
    DELETE FROM recipient WHERE device_token = $1 AND registered <= $2;

-- A message: both in one transaction.
PREPARE forget (bigint) AS
    DELETE FROM outbox WHERE finished < $1;
PREPARE enqueue (text, text, text, text, bytea, bigint) AS
    INSERT INTO outbox (apns_id, message, account, device_token, payload, expiration)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (message, account, device_token) DO NOTHING;

-- Sending: take a push, send it and finish it, in one transaction per push. The lock ends with the transaction or the
-- connection, so several servers can send, and the pushes of a killed one are taken again. Numbers aren't committed in
-- their order, so no statement asks for those after the last one, as the one for SQLite does.
PREPARE take AS
    SELECT sequence, apns_id, device_token, payload, expiration FROM outbox
    WHERE finished IS NULL ORDER BY sequence LIMIT 1 FOR UPDATE SKIP LOCKED;
PREPARE finish (bigint, text, bigint) AS
    UPDATE outbox SET finished = $1, error = $2, payload = NULL WHERE sequence = $3 AND finished IS NULL;

PREPARE waiting_count AS
    SELECT count(*) FROM outbox WHERE finished IS NULL;
