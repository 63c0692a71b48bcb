import Foundation
import GRDB

/// A sealed push that a sender has taken from the outbox.
struct OutboxPush: Sendable {
    let sequence: Int64
    /// The header `apns-id`, the same for every attempt, also after a restart.
    let id: UUID
    let deviceToken: String
    let payload: [UInt8]
    let expiration: Date
    /// The number of times that it was taken.
    let attempts: Int
    /// The end of the lease in milliseconds, by which a sender knows its own.
    let leasedUntil: Int64
}

extension Store {
    /// Takes the next pushes that are due, for the time of a lease.
    ///
    /// A push whose lease ends is due again.
    func take(_ limit: Int, lease: TimeInterval, at now: Date) async throws -> [OutboxPush] {
        try await database.write { database in
            try Row.fetchAll(
                database,
                sql: """
                    UPDATE outbox SET leased_until = ?, attempts = attempts + 1 WHERE sequence IN (
                        SELECT sequence FROM outbox
                        WHERE finished IS NULL AND next_attempt <= ? AND leased_until <= ?
                        ORDER BY next_attempt, sequence LIMIT ?)
                    RETURNING sequence, apns_id, device_token, payload, expiration, attempts,
                        leased_until
                    """,
                arguments: [(now + lease).milliseconds, now.milliseconds, now.milliseconds, limit]
            ).map { row in
                OutboxPush(
                    sequence: row["sequence"], id: row["apns_id"], deviceToken: row["device_token"],
                    payload: Array(row["payload"] as Data),
                    expiration: Date(timeIntervalSince1970: row["expiration"] / 1000),
                    attempts: row["attempts"],
                    leasedUntil: row["leased_until"])
            }
        }
    }

    /// Returns a push to the outbox until a time, unless another sender has taken it since.
    func retry(_ push: OutboxPush, notBefore date: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE outbox SET next_attempt = ?, leased_until = 0
                    WHERE sequence = ? AND leased_until = ? AND finished IS NULL
                    """, arguments: [date.milliseconds, push.sequence, push.leasedUntil])
        }
    }

    /// Records the answer to a push, and forgets its payload.
    func finish(_ push: OutboxPush, error: String? = nil, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE outbox SET finished = ?, error = ?, payload = NULL, leased_until = 0
                    WHERE sequence = ? AND finished IS NULL
                    """, arguments: [now.milliseconds, error, push.sequence])
        }
    }

    /// Ends the leases of the last run, because no other process uses the file.
    func endLeases() async throws {
        try await database.write {
            try $0.execute(sql: "UPDATE outbox SET leased_until = 0 WHERE leased_until > 0")
        }
    }
}
