extension Store {
    /// The tables, and an index for each condition, so that no statement reads all rows of the
    /// outbox.
    static let schema = """
        CREATE TABLE IF NOT EXISTS recipient (
            account TEXT NOT NULL, device_token TEXT NOT NULL, recipient TEXT NOT NULL,
            registered INTEGER NOT NULL, PRIMARY KEY (account, device_token));
        CREATE INDEX IF NOT EXISTS recipient_token ON recipient (device_token);
        CREATE INDEX IF NOT EXISTS recipient_registered ON recipient (registered);
        CREATE TABLE IF NOT EXISTS challenge (
            device_token TEXT NOT NULL PRIMARY KEY, history TEXT NOT NULL,
                updated INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS challenge_updated ON challenge (updated);
        CREATE TABLE IF NOT EXISTS outbox (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, apns_id TEXT NOT NULL,
                message TEXT NOT NULL,
            account TEXT NOT NULL, device_token TEXT NOT NULL, payload BLOB,
                expiration INTEGER NOT NULL,
            next_attempt INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
            leased_until INTEGER NOT NULL DEFAULT 0, finished INTEGER, error TEXT,
            UNIQUE (message, account, device_token));
        CREATE INDEX IF NOT EXISTS outbox_waiting ON outbox (next_attempt, sequence)
            WHERE finished IS NULL;
        CREATE INDEX IF NOT EXISTS outbox_device ON outbox (account, device_token)
            WHERE finished IS NULL;
        CREATE INDEX IF NOT EXISTS outbox_leased ON outbox (leased_until) WHERE leased_until > 0;
        CREATE INDEX IF NOT EXISTS outbox_finished ON outbox (finished) WHERE finished IS NOT NULL;
        """
}
