import Foundation
import GRDB
import Hummingbird
import PushCryptAPNs

extension Store {
    /// Records a challenge to a device token, or throws status 429 if it got too many.
    ///
    /// The limit is that of the token over all users, because an attacker with a session can name
    /// any token.
    ///
    /// - Returns: A Boolean value that indicates whether the challenge may be visible.
    static func challenge(
        _ token: String, wantsVisible: Bool, at now: Date, in database: Database
    ) throws -> Bool {
        let stored = try String.fetchOne(
            database, sql: "SELECT history FROM challenge WHERE device_token = ?",
            arguments: [token])
        let decoder = JSONDecoder()
        var history =
            try stored.map { try decoder.decode(ChallengeHistory.self, from: Data($0.utf8)) }
            ?? .init()
        let isVisible: Bool
        do throws(PushCryptError) {
            isVisible = try history.record(wantsVisible: wantsVisible, at: now)
        } catch {
            throw HTTPError(.tooManyRequests, headers: [.retryAfter: "3600"], message: "\(error)")
        }
        let json = String(decoding: try JSONEncoder().encode(history), as: UTF8.self)
        try database.execute(
            sql: """
                INSERT INTO challenge (device_token, history, updated) VALUES (?, ?, ?)
                ON CONFLICT (device_token) DO UPDATE SET history = excluded.history,
                    updated = excluded.updated
                """, arguments: [token, json, now.milliseconds])
        return isVisible
    }

    /// Forgets the challenges of tokens that got none for a day, and returns their number, at most
    /// `Limits.rows`.
    func forget(challengedBefore date: Date) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM challenge WHERE device_token IN (
                        SELECT device_token FROM challenge WHERE updated < ? ORDER BY updated
                            LIMIT ?)
                    """, arguments: [date.milliseconds, Limits.rows])
            return database.changesCount
        }
    }

    /// Adds a notice for each of the other devices of a user, because a device was added.
    ///
    /// Without proofs, anyone with a session could cause any number of them.
    static func notify(
        _ others: [Recipient], by desk: RegistrationDesk, at now: Date, in database: Database
    ) throws {
        guard desk.proofs != nil else { return }
        let message = UUID()
        for recipient in others {
            // A device that accepts no key of the server, or isn't proved, gets no notice.
            guard let push = try? desk.notice(for: recipient),
                case .at(let expiration) = push.headers.expiration
            else { continue }
            let row = NewPush(
                account: recipient.account, deviceToken: recipient.deviceToken, payload: push.data,
                expiration: expiration, due: now)
            try add(row, of: message, in: database)
        }
    }
}
