public import PushCryptCore

// Pushes without content: there is nothing to seal in them.
extension SealedPush {
    /// Creates a push that displays a placeholder alone.
    ///
    /// Send it if sealing throws `noAcceptedKey`, so that the user sees that something came, and
    /// opens the app. The app registers at its next launch, and the server can seal for it again.
    ///
    /// ```swift
    /// func push(_ prepared: PreparedPush, for device: Recipient) throws -> SealedPush {
    ///     do {
    ///         return try prepared.seal(for: device)
    ///     } catch {
    ///         guard error.code == .noAcceptedKey else { throw error }
    ///         return try .placeholder(.standard, headers: prepared.headers)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - placeholder: The text, which APNs can read. The extension replaces it by the app's own
    ///     fallback text.
    ///   - headers: The headers of an alert push.
    ///   - carrier: The carrier of the push.
    /// - Returns: The push.
    /// - Throws: ``PushCryptError`` with `invalidPlaceholder`, `invalidHeader`, or `notSealable` if
    ///   the headers are of another push type.
    public static func placeholder(
        _ placeholder: Placeholder, headers: APNsHeaders, carrier: Carrier = .apns
    ) throws(PushCryptError) -> SealedPush {
        try headers.check()
        let profile = CarrierProfile(carrier)
        try profile.check(headers)
        try profile.check(placeholder)
        guard headers.pushType == .alert else {
            throw PushCryptError(
                .notSealable, "A placeholder is an alert push. Send nothing in its place.")
        }
        var payload = Array(#"{"aps":{"alert":"#.utf8)
        try placeholder.write(to: &payload)
        payload += #","mutable-content":1}}"#.utf8
        return SealedPush(payload: payload, headers: headers, carrier: carrier)
    }

    /// Creates a background push that asks the app to register, for example after the server has
    /// revoked a key.
    ///
    /// The app registers at most once an hour. The system may delay the push, or drop it if the
    /// user has force-quit the app.
    ///
    /// - Parameter topic: The app's bundle ID.
    /// - Returns: The push.
    public static func registrationRequest(topic: String? = nil) -> SealedPush {
        SealedPush(
            payload: registrationRequest, headers: APNsHeaders(.background, topic: topic))
    }

    /// The payload of a background push that asks the app to register.
    package static let registrationRequest = [UInt8](#"{"aps":{"content-available":1}}"#.utf8)

    /// The payload of the standard placeholder.
    package static let standardPlaceholder = [UInt8](
        #"{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1}}"#.utf8)
}
