import Foundation
import GRDB
import Hummingbird
import PushCryptSender

extension Store {
    /// Stores a device, or adds a challenge to the outbox if the device has to prove its
    /// registration first.
    ///
    /// Writes are one after the other, so no other registration comes between reading and writing.
    ///
    /// - Returns: A Boolean value that indicates whether the device is stored.
    func register(
        _ request: RegistrationRequest, account: String, by desk: RegistrationDesk, at now: Date
    ) async throws -> Bool {
        try await database.write { database in
            // The library stores tokens in lower case.
            let token = request.deviceToken.lowercased()
            let rows = try Self.recipients(of: account, in: database)
            let others = rows.filter { $0.deviceToken != token }
            let stored = rows.first { $0.deviceToken == token }
            let decision: ProofOfPossession.Decision
            do throws(PushCryptError) {
                decision = try desk.decide(
                    request, account: account, replacing: stored, others: others, at: now)
            } catch {
                guard let generation = error.staleGeneration else { throw error }
                throw StaleRegistration(generation: generation)
            }
            switch decision {
            case .accepted(let recipient):
                try Self.store(recipient, at: now, in: database)
                if stored == nil { try Self.notify(others, by: desk, at: now, in: database) }
                return true
            case .challenged(let challenge):
                let isVisible = try Self.challenge(
                    token, wantsVisible: request.wantsVisibleChallenge, at: now, in: database)
                let push = try desk.push(challenge, isVisible: isVisible)
                let row = NewPush(
                    account: account, deviceToken: token, payload: push.data,
                    expiration: now + Limits.challengeLifetime, due: now)
                try Self.add(row, of: UUID(), in: database)
                return false
            }
        }
    }

    private static func store(_ recipient: Recipient, at now: Date, in database: Database) throws {
        try makeRoom(for: recipient, at: now, in: database)
        let json = String(decoding: try JSONEncoder().encode(recipient), as: UTF8.self)
        try database.execute(
            sql: """
                INSERT INTO recipient (account, device_token, recipient, registered)
                    VALUES (?, ?, ?, ?)
                ON CONFLICT (account, device_token)
                DO UPDATE SET recipient = excluded.recipient, registered = excluded.registered
                """,
            arguments: [
                recipient.account, recipient.deviceToken, json, recipient.registered.milliseconds,
            ])
    }

    /// Deletes a device of a user, and its waiting pushes: it may not have their key any more.
    ///
    /// The device is asked to register. So an app that is still signed in isn't without messages
    /// until its next launch if an attacker with the session has deleted its row.
    func delete(deviceToken: String, account: String, at now: Date) async throws {
        try await database.write { database in
            let token = deviceToken.lowercased()
            guard try Self.delete(deviceToken: token, account: account, at: now, in: database)
            else { return }
            let push = NewPush(
                account: account, deviceToken: token,
                payload: SealedPush.registrationRequest().data,
                expiration: now + Limits.requestLifetime, due: now)
            try Self.add(push, of: UUID(), in: database)
        }
    }

    /// Deletes a device token that APNs found invalid, for all users who didn't register it again
    /// afterwards.
    func delete(deviceToken: String, invalidSince date: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM recipient WHERE device_token = ? AND registered <= ?",
                arguments: [deviceToken, date.milliseconds])
        }
    }

    /// Returns the devices of a user, the latest registration first.
    func devices(of account: String) async throws -> [Recipient] {
        try await database.read { try Self.recipients(of: account, in: $0) }
    }

    /// Deletes devices whose registration is old, and returns their number, at most `Limits.rows`.
    func expire(registeredBefore date: Date, at now: Date) async throws -> Int {
        try await database.write { database in
            let rows = try Row.fetchAll(
                database,
                sql:
                    """
                    SELECT account, device_token FROM recipient WHERE registered < ?
                        ORDER BY registered LIMIT ?
                    """,
                arguments: [date.milliseconds, Limits.rows])
            for row in rows {
                try Self.delete(
                    deviceToken: row["device_token"], account: row["account"], at: now, in: database
                )
            }
            return rows.count
        }
    }

    /// Returns the devices of a user, the latest registration first.
    static func recipients(of account: String, in database: Database) throws -> [Recipient] {
        try String.fetchAll(
            database,
            sql:
                """
                SELECT recipient FROM recipient WHERE account = ? ORDER BY registered DESC LIMIT ?
                """,
            arguments: [account, Limits.devices]
        ).map(recipient)
    }

    /// Deletes the oldest registrations of a user who has too many other devices, or throws if
    /// these are in use.
    private static func makeRoom(for recipient: Recipient, at now: Date, in database: Database)
        throws
    {
        let oldest = try Row.fetchAll(
            database,
            sql: """
                SELECT device_token, registered FROM recipient WHERE account = ?
                    AND device_token <> ?
                ORDER BY registered DESC, device_token LIMIT -1 OFFSET ?
                """, arguments: [recipient.account, recipient.deviceToken, Limits.devices - 1])
        for row in oldest {
            guard row["registered"] < (now - Limits.idleDevice).milliseconds else {
                throw HTTPError(
                    .forbidden, message: "The user has \(Limits.devices) devices. Delete one first."
                )
            }
            try delete(
                deviceToken: row["device_token"], account: recipient.account, at: now, in: database)
        }
    }

    /// Deletes a row, and returns whether there was one.
    @discardableResult
    private static func delete(
        deviceToken: String, account: String, at now: Date, in database: Database
    ) throws -> Bool {
        let row: StatementArguments = [account, deviceToken]
        try database.execute(
            sql: "DELETE FROM recipient WHERE account = ? AND device_token = ?", arguments: row)
        let wasStored = database.changesCount > 0
        try database.execute(
            sql: """
                UPDATE outbox SET finished = ?, error = 'deleted', payload = NULL, leased_until = 0
                WHERE account = ? AND device_token = ? AND finished IS NULL
                """, arguments: [now.milliseconds] + row)
        return wasStored
    }

    private static func recipient(_ json: String) throws -> Recipient {
        try JSONDecoder().decode(Recipient.self, from: Data(json.utf8))
    }
}
