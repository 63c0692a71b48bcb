internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

extension DeviceRegistrar {
    /// The period in seconds within which a push can ask for one registration.
    private static let requestPeriod: TimeInterval = 3600

    /// Registers because a background push asks for it, at most once an hour.
    ///
    /// A server sends such a push to all devices after it has revoked a key. It has no content: `userInfo` is exactly
    /// `{"aps":{"content-available":1}}`. Anyone who can send pushes to the app can ask, so the push itself changes
    /// neither keys nor lists.
    ///
    /// ```swift
    /// let isAsked = try await registrar.register(
    ///     ifAskedBy: userInfo, deviceToken: deviceToken
    /// ) { registration, token in
    ///     // POST both to your server, as the signed-in user.
    ///     return .accepted(date: nil)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a background push.
    ///   - deviceToken: The device token from the system.
    ///   - send: Sends a registration to the app's server.
    /// - Returns: A Boolean value that indicates whether the push asked, and the registrar registered.
    /// - Throws: The errors of ``register(deviceToken:with:)``.
    public nonisolated(nonsending) func register(
        ifAskedBy userInfo: [AnyHashable: Any], deviceToken: some Collection<UInt8>, with send: SendRegistration
    ) async throws -> Bool {
        guard Self.isRegistrationRequest(userInfo) else { return false }
        // Without the device's identifier, nothing can be registered, and the hour would be lost.
        _ = try keys()
        let now = time.now
        var isDue = false
        // Recorded before the request, so that a server that fails isn't asked again at once.
        try state.update { contents in
            let last = contents.asked.map { Date(timeIntervalSince1970: TimeInterval($0)) }
            // A clock that was set back doesn't lock requests out.
            isDue = last.map { !(0..<Self.requestPeriod).contains(now.timeIntervalSince($0)) } ?? true
            guard isDue else { return }
            contents.asked = Int64(exactly: now.timeIntervalSince1970.rounded(.down))
            contents.confirmed = nil
        }
        guard isDue else { return false }
        try await register(deviceToken: Array(deviceToken), with: send)
        return true
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
