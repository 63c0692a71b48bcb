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
    /// They are due one after the other. So messages don't wait for all of them, and the apps don't
    /// register all at once.
    func requestRegistrations(_ message: UUID, at now: Date) async throws -> Int {
        let payload = SealedPush.registrationRequest().data
        var count = 0
        var last = Device(account: "", deviceToken: "")
        while true {
            let devices = try await database.write { [count, last] database in
                let devices = try Self.devices(after: last, in: database)
                for (index, device) in devices.enumerated() {
                    let due = now + Double(count + index) / Limits.requestsPerSecond
                    let push = NewPush(
                        account: device.account, deviceToken: device.deviceToken, payload: payload,
                        expiration: due + Limits.requestLifetime, due: due)
                    try Self.add(push, of: message, in: database)
                }
                return devices
            }
            guard let end = devices.last else { return count }
            last = end
            count += devices.count
        }
    }

    /// The primary key of a device's row.
    private struct Device: Sendable {
        let account, deviceToken: String
    }

    /// Returns the next devices in the order of their primary key.
    private static func devices(after last: Device, in database: Database) throws -> [Device] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT account, device_token FROM recipient WHERE (account, device_token) > (?, ?)
                ORDER BY account, device_token LIMIT ?
                """, arguments: [last.account, last.deviceToken, Limits.rows]
        ).map { Device(account: $0["account"], deviceToken: $0["device_token"]) }
    }
}
