import Foundation
import GRDB
import PushCryptSender

/// The database, whose statements `postgresql.sql` has for PostgreSQL.
struct Store: Sendable {
    let database: DatabasePool

    init(path: String) throws {
        database = try DatabasePool(path: path)
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS recipient (
                        account TEXT NOT NULL, device_token TEXT NOT NULL, recipient TEXT NOT NULL,
                        registered INTEGER NOT NULL, PRIMARY KEY (account, device_token));
                    CREATE INDEX IF NOT EXISTS recipient_token ON recipient (device_token);
                    CREATE TABLE IF NOT EXISTS outbox (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT, apns_id TEXT NOT NULL, message TEXT NOT NULL,
                        account TEXT NOT NULL, device_token TEXT NOT NULL, payload BLOB, expiration INTEGER NOT NULL,
                        finished INTEGER, error TEXT, UNIQUE (message, account, device_token));
                    CREATE INDEX IF NOT EXISTS outbox_waiting ON outbox (sequence) WHERE finished IS NULL;
                    """)
        }
    }

    /// Stores a device, unless its generation isn't plausible after the stored one.
    ///
    /// Writes are one after the other, so no other registration comes between reading and writing.
    func register(
        _ registration: Registration, deviceToken: String, account: String, at now: Date
    ) async throws {
        try await database.write { database in
            // The library stores tokens in lower case.
            let stored = try Self.recipients(
                database, "account = ? AND device_token = ?", [account, deviceToken.lowercased()]
            ).first
            let recipient: Recipient
            do {
                recipient = try Recipient(
                    registration: registration, deviceToken: deviceToken, account: account, replacing: stored)
            } catch let error as PushCryptError where error.code == .staleGeneration {
                throw StaleRegistration(generation: stored?.registration.generation ?? 0)
            }
            let json = String(decoding: try JSONEncoder().encode(recipient), as: UTF8.self)
            try database.execute(
                sql: """
                    INSERT INTO recipient (account, device_token, recipient, registered) VALUES (?, ?, ?, ?)
                    ON CONFLICT (account, device_token)
                    DO UPDATE SET recipient = excluded.recipient, registered = excluded.registered
                    """, arguments: [account, recipient.deviceToken, json, now.milliseconds])
        }
    }

    /// Returns the devices of a user.
    func recipients(of account: String) async throws -> [Recipient] {
        try await database.read { try Self.recipients($0, "account = ?", [account]) }
    }

    /// Deletes a device of a user, and its waiting pushes: it may not have their key any more.
    func delete(deviceToken: String, account: String, at now: Date) async throws {
        let row: StatementArguments = [account, deviceToken.lowercased()]
        try await database.write { database in
            try database.execute(sql: "DELETE FROM recipient WHERE account = ? AND device_token = ?", arguments: row)
            try database.execute(
                sql: """
                    UPDATE outbox SET finished = ?, error = 'deleted', payload = NULL
                    WHERE account = ? AND device_token = ? AND finished IS NULL
                    """, arguments: [now.milliseconds] + row)
        }
    }

    /// Deletes a device token that APNs found invalid, for all users who didn't register it again afterwards.
    func delete(deviceToken: String, invalidSince date: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM recipient WHERE device_token = ? AND registered <= ?",
                arguments: [deviceToken, date.milliseconds])
        }
    }

    private static func recipients(
        _ database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Recipient] {
        try String.fetchAll(database, sql: "SELECT recipient FROM recipient WHERE \(condition)", arguments: arguments)
            .map { try JSONDecoder().decode(Recipient.self, from: Data($0.utf8)) }
    }
}

extension Date {
    /// The milliseconds since 1970, as APNs counts.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
