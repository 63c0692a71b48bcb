import Foundation
import GRDB
import PushCryptSender

/// A sealed push that is in the outbox.
struct OutboxPush: Sendable {
    let sequence: Int64
    /// The header `apns-id`, the same for every attempt, also after a restart.
    let id: UUID
    let deviceToken: String
    let payload: [UInt8]
    let expiration: Date
}

extension Store {
    /// The time after which the outbox forgets a push, and a message ID could be used again.
    private static let memory: TimeInterval = 30 * 24 * 3600

    /// Adds the sealed pushes of a message, except those that were added before.
    func enqueue(_ pushes: [(Recipient, SealedPush)], message: UUID, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM outbox WHERE finished < ?", arguments: [(now - Self.memory).milliseconds])
            for (recipient, push) in pushes {
                guard case .at(let expiration) = push.headers.expiration else { continue }
                try database.execute(
                    sql: """
                        INSERT INTO outbox (apns_id, message, account, device_token, payload, expiration)
                        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (message, account, device_token) DO NOTHING
                        """,
                    arguments: [
                        UUID().uuidString.lowercased(), message.uuidString.lowercased(), recipient.account,
                        recipient.deviceToken, push.data, expiration.milliseconds,
                    ])
            }
        }
    }

    /// Returns the next pushes that wait, in their order.
    func waiting(after sequence: Int64, limit: Int) async throws -> [OutboxPush] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sequence, apns_id, device_token, payload, expiration FROM outbox
                    WHERE finished IS NULL AND sequence > ? ORDER BY sequence LIMIT ?
                    """, arguments: [sequence, limit]
            ).map { row in
                OutboxPush(
                    sequence: row["sequence"], id: row["apns_id"], deviceToken: row["device_token"],
                    payload: Array(row["payload"] as Data),
                    expiration: Date(timeIntervalSince1970: row["expiration"] / 1000))
            }
        }
    }

    func waitingCount() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM outbox WHERE finished IS NULL") ?? 0 }
    }

    /// Records the answer to a push, and forgets its payload.
    func finish(_ push: OutboxPush, error: String? = nil, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE outbox SET finished = ?, error = ?, payload = NULL WHERE sequence = ? AND finished IS NULL
                    """, arguments: [now.milliseconds, error, push.sequence])
        }
    }
}
