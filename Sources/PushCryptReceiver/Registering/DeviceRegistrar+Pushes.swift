internal import Foundation
internal import PushCryptCore
public import PushCryptKeyring

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
    /// - A push without content: `userInfo` is exactly `{"aps":{"content-available":1}}`, apart from members that the
    ///   carrier adds. A server sends it to all devices after it has revoked a key. The registrar registers, at most
    ///   once an hour. Anyone who can send pushes to the app can ask, so the push changes neither keys nor lists.
    ///
    /// ```swift
    /// let isAsked = try await registrar.register(
    ///     ifAskedBy: userInfo, token: "dPz-1:APA91bH_Zx"
    /// ) { request in
    ///     // POST request.json to your server, as the signed-in user.
    ///     return .accepted(date: nil)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a background push.
    ///   - token: The token that the carrier has issued for this device.
    ///   - send: Sends a request to the app's server.
    /// - Returns: A Boolean value that indicates whether the push asked, and the registrar has asked the server.
    /// - Throws: The errors of ``register(token:with:)``, and `invalidConfiguration` if the carrier isn't known.
    public nonisolated(nonsending) func register(
        ifAskedBy userInfo: [AnyHashable: Any], token: String, with send: SendRegistration
    ) async throws -> Bool {
        guard let push = try AskingPush(userInfo: userInfo, from: carrier) else { return false }
        return try await register(ifAskedBy: push, token: token, with: send)
    }

    /// Registers, or answers a challenge, if a push asks for it.
    func register(
        ifAskedBy push: AskingPush, token: String, with send: SendRegistration
    ) async throws -> Bool {
        switch push {
        case .sealed(let value):
            guard let content = try arrivedChallenge(in: value) else { return false }
            return try await answer(content, token, with: send)
        case .request:
            guard try isRequestDue() else { return false }
            try await register(token: token, with: send)
            return true
        }
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
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a background push.
    ///   - carrier: The service that delivers the app's pushes, whose own members don't count.
    /// - Returns: The Boolean value; `false` if the carrier isn't known.
    public static func isRegistrationRequest(_ userInfo: [AnyHashable: Any], from carrier: Carrier = .apns) -> Bool {
        (try? AskingPush(userInfo: userInfo, from: carrier)) == .request
    }
}
