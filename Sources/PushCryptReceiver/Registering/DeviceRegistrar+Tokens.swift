internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

// The device token of APNs, as the system gives it to the app: bytes that become hexadecimal digits.
extension DeviceRegistrar {
    /// Prepares the keys, and registers them with a device token of APNs if the server doesn't know them.
    ///
    /// - Parameters:
    ///   - deviceToken: The device token from the system, usually 32 bytes.
    ///   - send: Sends a request to the app's server.
    /// - Returns: The state in which the keys were found.
    /// - Throws: The errors of ``register(token:with:)``, and `invalidConfiguration` if the carrier has tokens of its
    ///   own.
    @discardableResult
    public func register(
        deviceToken: some Collection<UInt8>, with send: SendRegistration
    ) async throws -> Preparation {
        try await register(token: text(of: deviceToken), with: send)
    }

    /// Creates and registers a new key with a device token of APNs, because the keys may have leaked.
    ///
    /// - Throws: The errors of ``renew(token:with:)`` and ``register(deviceToken:with:)``.
    public func renew(deviceToken: some Collection<UInt8>, with send: SendRegistration) async throws {
        try await renew(token: text(of: deviceToken), with: send)
    }

    /// Registers with a device token of APNs, or answers a challenge, if a push asks for it.
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
    /// - Throws: The errors of ``register(ifAskedBy:token:with:)`` and ``register(deviceToken:with:)``.
    public nonisolated(nonsending) func register(
        ifAskedBy userInfo: [AnyHashable: Any], deviceToken: some Collection<UInt8>, with send: SendRegistration
    ) async throws -> Bool {
        try await register(ifAskedBy: userInfo, token: text(of: deviceToken), with: send)
    }

    /// Returns a device token in hexadecimal digits.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` if the carrier has tokens of its own.
    private func text(of deviceToken: some Collection<UInt8>) throws(PushCryptError) -> String {
        try Self.text(of: deviceToken, from: carrier)
    }

    static func text(
        of deviceToken: some Collection<UInt8>, from carrier: Carrier
    ) throws(PushCryptError) -> String {
        guard [.apns, .azure, .sns].contains(carrier) else {
            throw PushCryptError(
                .invalidConfiguration,
                "The device token is from APNs, but the carrier is \(carrier). Pass the carrier's own token as text.")
        }
        return hexadecimal(deviceToken)
    }

    static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
