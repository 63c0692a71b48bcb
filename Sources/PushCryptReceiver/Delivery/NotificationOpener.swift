internal import PushCryptCore
public import PushCryptPayload

/// Turns what was delivered into what is shown: the original, or the fallback, and nothing between.
public struct NotificationOpener: Sendable {
    /// What to do with a payload that is not sealed.
    public enum UnsealedPayloads: Sendable, Hashable {
        /// Show the fallback: otherwise anybody between sender and device could leave `ENCRYPTED_DATA` out and write a
        /// text of their own.
        case refuse
        /// Show it as it is, for apps that get other pushes too.
        case allow
    }

    /// Opens the messages.
    public var opener: Opener

    /// What is shown where a message is not opened.
    public var fallback: FallbackText

    /// What to do with a payload that is not sealed.
    public var plaintext: UnsealedPayloads

    /// Whether `userInfo` stays sealed after opening.
    ///
    /// The app then opens it again when it needs it.
    public var keepsUserInfoSealed: Bool

    /// The app's string table, in which the loc-keys of an original are looked up, as the system does for what is not
    /// sealed.
    ///
    /// Without one, a key stands for itself.
    public var strings: (any StringTable)?

    /// Makes a presenter.
    ///
    /// - Parameters:
    ///   - opener: opens the messages.
    ///   - fallback: what is shown where a message is not opened.
    ///   - plaintext: what to do with a payload that is not sealed.
    ///   - keepsUserInfoSealed: whether `userInfo` stays sealed after opening.
    ///   - strings: the app's string table.
    public init(
        _ opener: Opener, fallback: FallbackText = .standard, plaintext: UnsealedPayloads = .refuse,
        keepsUserInfoSealed: Bool = false, strings: (any StringTable)? = nil
    ) {
        self.opener = opener
        self.fallback = fallback
        self.plaintext = plaintext
        self.keepsUserInfoSealed = keepsUserInfoSealed
        self.strings = strings
    }

    /// Opens a notification and says what to show.
    ///
    /// It returns when the key store does.
    ///
    /// - Parameter notification: what was delivered.
    /// - Returns: what to show; never without text.
    public func present(_ notification: DeliveredNotification) -> NotificationResult {
        present(notification) { true }
    }

    /// The same, as long as somebody waits for it.
    func present(
        _ notification: DeliveredNotification, isWanted: () -> Bool
    ) -> NotificationResult {
        do throws(PushCryptError) {
            let envelope = try notification.sealedValue.get().envelope()
            let push = try opener.open(envelope: envelope, isWanted: isWanted)
            let payload = try JSONValue(forDisplay: push.payload).objectValue ?? [:]
            let content = notification.content.replaced(
                by: payload, strings: strings, keepingSealed: keepsUserInfoSealed)
            guard content.hasText else {
                throw PushCryptError(
                    .noAlertText, "The opened payload has no title, subtitle or body: it is not one for a notification."
                )
            }
            return NotificationResult(content: content, outcome: .opened(push))
        } catch {
            if error.code == .notSealed, plaintext == .allow, notification.content.hasText {
                return NotificationResult(content: notification.content, outcome: .plaintext)
            }
            return fallback(for: notification, because: error)
        }
    }

    /// What to show where a notification is not opened.
    func fallback(
        for notification: DeliveredNotification, because error: PushCryptError
    ) -> NotificationResult {
        NotificationResult(content: notification.content.fallback(fallback), outcome: .fallback(error))
    }
}
