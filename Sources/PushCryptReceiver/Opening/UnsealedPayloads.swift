/// The treatment of payloads without `ENCRYPTED_DATA`.
///
/// Payloads that the extension has opened look like payloads that were never sealed, and nothing in
/// them proves the sender.
public struct UnsealedPayloads: Sendable, Hashable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// Rejects them: an extension displays the fallback, and a reader throws `notSealed`.
    ///
    /// Use it for background and VoIP pushes, for Live Activities, and for notifications whose
    /// extension leaves `userInfo` sealed.
    public static let reject = UnsealedPayloads("reject")

    /// Accepts them as they are.
    ///
    /// Anyone who can send pushes to the app can write such a payload. Don't act on it without
    /// further checks.
    public static let allow = UnsealedPayloads("allow")
}
