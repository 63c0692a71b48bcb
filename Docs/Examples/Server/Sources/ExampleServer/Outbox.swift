import Foundation
import GRDB
import PushCryptSender

/// A push for the outbox.
struct NewPush: Sendable {
    let account, deviceToken: String
    let payload: Data
    let expiration: Date
    /// The time of the first attempt.
    let due: Date
}

extension Store {
    /// Seals a message for the devices of a user, adds the pushes to the outbox, and returns their
    /// number.
    ///
    /// A device for which `seal` returns `nil` gets none.
    ///
    /// One transaction reads the devices and adds their pushes, so a device that signs out gets
    /// none. Sealing comes before it. Only a device that registers in between is sealed for within
    /// it.
    func enqueue(
        _ message: UUID, to account: String, at now: Date,
        seal: @escaping @Sendable (Recipient) throws -> SealedPush?
    ) async throws -> Int {
        var sealed: [Recipient: SealedPush] = [:]
        for recipient in try await database.read({ try Self.recipients(of: account, in: $0) }) {
            sealed[recipient] = try seal(recipient)
        }
        return try await database.write { [sealed] database in
            let recipients = try Self.recipients(of: account, in: database)
            var count = 0
            for recipient in recipients {
                guard let push = try sealed[recipient] ?? seal(recipient),
                    case .at(let expiration) = push.headers.expiration
                else { continue }
                count += 1
                let row = NewPush(
                    account: recipient.account, deviceToken: recipient.deviceToken,
                    payload: push.data,
                    expiration: expiration, due: now)
                try Self.add(row, of: message, in: database)
            }
            return count
        }
    }

    func waitingCount() async throws -> Int {
        try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM outbox WHERE finished IS NULL") ?? 0
        }
    }

    /// Forgets finished pushes, and returns their number, at most `Limits.rows`.
    func forget(finishedBefore date: Date) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM outbox WHERE sequence IN (
                        SELECT sequence FROM outbox WHERE finished < ? ORDER BY finished LIMIT ?)
                    """, arguments: [date.milliseconds, Limits.rows])
            return database.changesCount
        }
    }

    /// Adds a push, unless it was added before.
    static func add(_ push: NewPush, of message: UUID, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO outbox (apns_id, message, account, device_token, payload, expiration,
                    next_attempt)
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (message, account, device_token) DO NOTHING
                """,
            arguments: [
                UUID().uuidString.lowercased(), message.uuidString.lowercased(), push.account,
                push.deviceToken, push.payload, push.expiration.milliseconds, push.due.milliseconds,
            ])
    }
}
