-- The tables and statements of Schema, Recipients, Challenges, RegistrationRequests, Outbox and Leases for PostgreSQL 15. Create
-- the tables once, because CREATE INDEX waits for open transactions. Prepare the statements on each connection.

SET client_min_messages = warning;

CREATE TABLE IF NOT EXISTS recipient (
    account text NOT NULL, device_token text NOT NULL, recipient text NOT NULL,
    registered bigint NOT NULL, PRIMARY KEY (account, device_token));
CREATE INDEX IF NOT EXISTS recipient_token ON recipient (device_token);
CREATE INDEX IF NOT EXISTS recipient_registered ON recipient (registered);
CREATE TABLE IF NOT EXISTS challenge (
    device_token text NOT NULL PRIMARY KEY, history text NOT NULL, updated bigint NOT NULL);
CREATE INDEX IF NOT EXISTS challenge_updated ON challenge (updated);
CREATE TABLE IF NOT EXISTS outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, apns_id text NOT NULL, message text NOT NULL,
    account text NOT NULL, device_token text NOT NULL, payload bytea, expiration bigint NOT NULL,
    next_attempt bigint NOT NULL, attempts integer NOT NULL DEFAULT 0, leased_until bigint NOT NULL DEFAULT 0,
    finished bigint, error text, UNIQUE (message, account, device_token));
CREATE INDEX IF NOT EXISTS outbox_waiting ON outbox (next_attempt, sequence) WHERE finished IS NULL;
CREATE INDEX IF NOT EXISTS outbox_device ON outbox (account, device_token) WHERE finished IS NULL;
CREATE INDEX IF NOT EXISTS outbox_finished ON outbox (finished) WHERE finished IS NOT NULL;

-- A registration: lock, find_recipients, find_oldest with the limit less 1, delete each of those as for a sign-out, and
-- store, in one transaction. If one of those is in use, refuse the registration. The library needs all rows of the account,
-- because each has former keys. The lock makes two first registrations of a user take turns, which SELECT … FOR UPDATE
-- doesn't, because there is no row to lock.
PREPARE lock_account (text) AS
    SELECT pg_advisory_xact_lock(hashtextextended('account:' || $1, 0));
PREPARE lock_token (text) AS
    SELECT pg_advisory_xact_lock(hashtextextended('token:' || $1, 0));
PREPARE store_recipient (text, text, text, bigint) AS
    INSERT INTO recipient (account, device_token, recipient, registered) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, device_token)
    DO UPDATE SET recipient = excluded.recipient, registered = excluded.registered;

-- A challenge: lock_token after lock_account, find_challenges, store_challenges and enqueue,
-- in the transaction of the registration.
PREPARE find_challenges (text) AS
    SELECT history FROM challenge WHERE device_token = $1;
PREPARE store_challenges (text, text, bigint) AS
    INSERT INTO challenge (device_token, history, updated) VALUES ($1, $2, $3)
    ON CONFLICT (device_token) DO UPDATE SET history = excluded.history, updated = excluded.updated;
PREPARE forget_challenges (bigint, bigint) AS
    DELETE FROM challenge WHERE device_token = ANY (ARRAY(
        SELECT device_token FROM challenge WHERE updated < $1 ORDER BY updated LIMIT $2 FOR UPDATE SKIP LOCKED));

PREPARE find_oldest (text, text, bigint) AS
    SELECT device_token, registered FROM recipient WHERE account = $1 AND device_token <> $2
    ORDER BY registered DESC, device_token OFFSET $3;

-- Sign-out and reset: both in one transaction, and enqueue a request for a registration.
PREPARE delete_recipient (text, text) AS
    DELETE FROM recipient WHERE account = $1 AND device_token = $2;
PREPARE drop_waiting (bigint, text, text) AS
    UPDATE outbox SET finished = $1, error = 'deleted', payload = NULL, leased_until = 0
    WHERE account = $2 AND device_token = $3 AND finished IS NULL;

-- The timer: delete devices that haven't renewed their registration, and drop_waiting for each row, in one transaction.
PREPARE expire (bigint, bigint) AS
    DELETE FROM recipient WHERE registered < $1 AND (account, device_token) IN (
        SELECT account, device_token FROM recipient WHERE registered < $1 ORDER BY registered LIMIT $2)
    RETURNING account, device_token;
-- The timer: in transactions of its own, until one deletes fewer rows than the limit.
PREPARE forget (bigint, bigint) AS
    DELETE FROM outbox WHERE sequence = ANY (ARRAY(
        SELECT sequence FROM outbox WHERE finished < $1 ORDER BY finished LIMIT $2 FOR UPDATE SKIP LOCKED));

-- An answer with the status 410 and its timestamp.
PREPARE delete_invalid (text, bigint) AS
    DELETE FROM recipient WHERE device_token = $1 AND registered <= $2;

-- A message: read the devices without a lock, seal for them, then find_recipients and enqueue in one transaction. Its lock
-- makes a sign-out wait, which then drops the new pushes too. Seal again for a device whose row changed in between.
PREPARE find_recipients (text, bigint) AS
    SELECT recipient FROM recipient WHERE account = $1 ORDER BY registered DESC LIMIT $2 FOR KEY SHARE;
PREPARE enqueue (text, text, text, text, bytea, bigint, bigint) AS
    INSERT INTO outbox (apns_id, message, account, device_token, payload, expiration, next_attempt)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (message, account, device_token) DO NOTHING;

-- A request for registrations: the devices after the last one of the page before, first after '' and '', and enqueue for
-- each, in one transaction per page.
PREPARE find_next (text, text, bigint) AS
    SELECT account, device_token FROM recipient WHERE (account, device_token) > ($1, $2)
    ORDER BY account, device_token LIMIT $3 FOR KEY SHARE;

-- Sending: take pushes until a lease ends (now, its end, the number), send them, and finish or retry each. No transaction
-- stays open, and several servers can send. The pushes of a killed one are taken again when their lease ends. The array
-- makes PostgreSQL run the inner statement once.
PREPARE take (bigint, bigint, bigint) AS
    UPDATE outbox SET leased_until = $2, attempts = attempts + 1 WHERE sequence = ANY (ARRAY(
        SELECT sequence FROM outbox WHERE finished IS NULL AND next_attempt <= $1 AND leased_until <= $1
        ORDER BY next_attempt, sequence LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING sequence, apns_id, device_token, payload, expiration, attempts, leased_until;
-- The time of the next attempt, the push, and the end of its lease: another server may have taken it since.
PREPARE retry (bigint, bigint, bigint) AS
    UPDATE outbox SET next_attempt = $1, leased_until = 0
    WHERE sequence = $2 AND leased_until = $3 AND finished IS NULL;
PREPARE finish (bigint, text, bigint) AS
    UPDATE outbox SET finished = $1, error = $2, payload = NULL, leased_until = 0
    WHERE sequence = $3 AND finished IS NULL;

PREPARE waiting_count AS
    SELECT count(*) FROM outbox WHERE finished IS NULL;
