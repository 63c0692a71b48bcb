internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

extension DeviceRegistrar {
    /// The period in seconds within which a push can ask for one registration.
    private static let requestPeriod: TimeInterval = 3600

    /// Returns whether a push may ask again, after the time at which the last one did, in seconds since 1970.
    ///
    /// A clock that was set back doesn't lock requests out.
    static func isDue(after last: Int64?, at now: Date) -> Bool {
        let last = last.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        return last.map { !(0..<requestPeriod).contains(now.timeIntervalSince($0)) } ?? true
    }

    /// Registers, or answers a challenge, if a push asks for it.
    ///
    /// Pass each background push to it before you open the push yourself. Two kinds ask:
    ///
    /// - A challenge of a server that wants a proof. The registrar answers it. If it hasn't begun a registration, it
    ///   proves the confirmed one again, at most once an hour: `pushcrypt doctor` tests the way to a device so.
    /// - A push without content: `userInfo` is exactly `{"aps":{"content-available":1}}`. A server sends it to all
    ///   devices after it has revoked a key. The registrar registers, at most once an hour. Anyone who can send pushes
    ///   to the app can ask, so the push itself changes neither keys nor lists.
    ///
    /// ```swift
    /// let isAsked = try await registrar.register(
    ///     ifAskedBy: userInfo, deviceToken: deviceToken
    /// ) { request in
    ///     // POST request.json to your server, as the signed-in user.
    ///     return .accepted(date: nil)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a background push.
    ///   - deviceToken: The device token from the system.
    ///   - send: Sends a request to the app's server.
    /// - Returns: A Boolean value that indicates whether the push asked, and the registrar has asked the server.
    /// - Throws: The errors of ``register(deviceToken:with:)``.
    public nonisolated(nonsending) func register(
        ifAskedBy userInfo: [AnyHashable: Any], deviceToken: some Collection<UInt8>, with send: SendRegistration
    ) async throws -> Bool {
        if let value = try? SealedValue(userInfo: userInfo) {
            guard let content = try arrivedChallenge(in: value) else { return false }
            return try await answer(content, Self.text(of: deviceToken), with: send)
        }
        guard Self.isRegistrationRequest(userInfo), try isRequestDue() else { return false }
        try await register(deviceToken: Array(deviceToken), with: send)
        return true
    }

    /// Records a request for a registration, and returns whether it is the first one within an hour.
    private func isRequestDue() throws -> Bool {
        // Without the device's identifier, nothing can be registered, and the hour would be lost.
        _ = try keys()
        let now = time.now
        var isDue = false
        // Recorded before the request, so that a server that fails isn't asked again at once.
        try state.update { contents in
            isDue = Self.isDue(after: contents.asked, at: now)
            guard isDue else { return }
            contents.asked = Int64(exactly: now.timeIntervalSince1970.rounded(.down))
            contents.confirmed = nil
        }
        return isDue
    }

    /// Returns a Boolean value that indicates whether the `userInfo` of a background push asks the app to register.
    ///
    /// Such a push has nothing to open.
    public static func isRegistrationRequest(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard userInfo.count == 1, let aps = userInfo["aps"] as? [AnyHashable: Any], aps.count == 1 else {
            return false
        }
        return (aps["content-available"] as? NSNumber)?.doubleValue == 1
    }
}
