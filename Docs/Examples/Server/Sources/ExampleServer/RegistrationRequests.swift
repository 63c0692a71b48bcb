import Foundation
import GRDB
import Hummingbird
import PushCryptAPNs

extension Routes {
    /// Asks all apps to register, so that they get the newest list of accepted keys.
    ///
    /// The same ID again adds nothing, so the operator can repeat a request that got no answer.
    @Sendable func requestRegistrations(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> EditedResponse<[String: Int]> {
        try access.requireOperator(request)
        let devices = try await store.requestRegistrations(messageID(request), at: now())
        wake()
        return EditedResponse(status: .accepted, response: ["devices": devices])
    }
}

extension Store {
    /// Adds a push without content for each device, and returns their number.
    ///
    /// They are due one after the other. So messages don't wait for all of them, and the apps don't register all at once.
    func requestRegistrations(_ message: UUID, at now: Date) async throws -> Int {
        let payload = SealedPush.registrationRequest().data
        var count = 0
        var last: Row?
        repeat {
            let rows = try await database.write { [count, last] database in
                let rows = try Self.devices(after: last, in: database)
                for (index, row) in rows.enumerated() {
                    let due = now + Double(count + index) / Limits.requestsPerSecond
                    let push = NewPush(
                        account: row["account"], deviceToken: row["device_token"], payload: payload,
                        expiration: due + Limits.requestLifetime, due: due)
                    try Self.add(push, of: message, in: database)
                }
                return rows
            }
            count += rows.count
            last = rows.last
        } while last != nil
        return count
    }

    /// Returns the next devices in the order of their primary key.
    private static func devices(after last: Row?, in database: Database) throws -> [Row] {
        let (account, deviceToken): (String, String) = (last?["account"] ?? "", last?["device_token"] ?? "")
        return try Row.fetchAll(
            database,
            sql: """
                SELECT account, device_token FROM recipient WHERE (account, device_token) > (?, ?)
                ORDER BY account, device_token LIMIT ?
                """, arguments: [account, deviceToken, Limits.rows])
    }
}
