package import Foundation
public import PushCryptCore
public import PushCryptPayload

/// The treatment of payloads without `ENCRYPTED_DATA`.
///
/// Payloads that the extension has opened look like payloads that were never sealed, and nothing in them proves the sender.
public enum UnsealedPayloads: Sendable, Hashable {
    /// Rejects them: an extension displays the fallback, and a reader throws `notSealed`.
    ///
    /// Use it for background and VoIP pushes, for Live Activities, and for notifications whose extension leaves `userInfo`
    /// sealed.
    case reject
    /// Accepts them as they are.
    ///
    /// Anyone who can send pushes to the app can write such a payload. Don't act on it without further checks.
    case allow
}

/// A notification as the system delivered it.
public struct DeliveredNotification: Sendable {
    /// The content that the system would display.
    package let content: NotificationContent

    /// The sealed value, or the reason why it can't be read.
    let sealedValue: Result<SealedValue, PushCryptError>

    /// The date of delivery; `nil` if the notification arrives now.
    package var date: Date?

    /// The identifier of the request, which is the push's collapse ID if it has one.
    let identifier: String

    /// Creates a notification from a request's content, its `userInfo` and its identifier.
    public init(content: NotificationContent, userInfo: [AnyHashable: Any], identifier: String = "") {
        self.content = content
        self.identifier = identifier
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(userInfo: userInfo) }
    }

    /// Creates a notification from a payload as APNs gets it, in UTF-8.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    public init(json: some UTF8Text) throws(PushCryptError) {
        let json = json.utf8Bytes
        identifier = ""
        content = NotificationContent(delivered: try JSONValue(forDisplay: json).objectValue ?? [:])
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(json: json) }
    }
}

/// The reason for the displayed content: the opened message, a failure, or neither for an allowed payload that isn't sealed.
public struct NotificationOutcome: Sendable, CustomStringConvertible {
    /// The opened message; `nil` if the message wasn't opened.
    public let push: OpenedPush?
    /// The reason for the fallback; `nil` if the fallback isn't displayed.
    public let failure: PushCryptError?
    /// A Boolean value that indicates whether the opened message isn't displayed: the app has dropped it, it's withdrawn, or
    /// it's a withdrawal.
    public internal(set) var isDropped = false
    /// The original's thread.
    var thread = ""

    package static func opened(_ push: OpenedPush) -> Self { Self(push: push, failure: nil) }
    package static let unsealed = Self(push: nil, failure: nil)
    package static func fallback(_ reason: PushCryptError) -> Self { Self(push: nil, failure: reason) }

    /// The description of the opened message or of the failure.
    public var description: String {
        (isDropped ? "not displayed: " : "") + (push?.description ?? failure?.description ?? "not sealed")
    }
}

/// The content to display, and the reason for it.
public struct NotificationResult: Sendable {
    /// The content to display, with text, or empty to display nothing.
    public let content: NotificationContent
    /// The reason for the content.
    public let outcome: NotificationOutcome
    /// The platform's own object for the content, if the app's customization created it.
    package let native: (any Sendable)?
    /// The list of notifications to remove, if the message is a withdrawal.
    package var withdrawal: Withdrawal?
    /// A Boolean value that indicates whether the user wants to see less than the content, which must not be customized.
    package var isReduced = false
    /// The number for the app's icon, counted on the device.
    package var badge: Int?

    package init(content: NotificationContent, outcome: NotificationOutcome, native: (any Sendable)? = nil) {
        self.content = content
        self.outcome = outcome
        self.native = native
    }
}

extension NotificationResult: CustomStringConvertible, Redacted {
    /// The lengths of the texts, and the description of the opened message or of the failure.
    public var description: String { "\(content), \(outcome)" }
}

/// Opens delivered notifications: returns the original, or the fallback if a check fails.
///
/// ```swift
/// let opener = NotificationOpener(
///     Opener(keys: store, senderPolicy: .signed(by: "YOUR_SERVER_KEY")),
///     fallback: FallbackText("New message"))
/// let result = opener.open(try DeliveredNotification(json: json))
/// print(result.content.body, result.outcome.failure?.code.rawValue ?? "opened")
/// ```
public struct NotificationOpener: Sendable {
    package var opener: Opener
    package let fallback: FallbackText
    package var unsealedPayloads: UnsealedPayloads
    private let keepsUserInfoSealed: Bool
    private let keepsDeliveredAttributes: Bool
    private let strings: (any StringTable)?
    private let hasFilteringEntitlement: Bool
    package let shared: SharedNotifications?

    /// Creates an opener of notifications.
    ///
    /// - Parameters:
    ///   - opener: The opener of messages.
    ///   - fallback: The text that is displayed if a message can't be opened.
    ///   - unsealedPayloads: The treatment of payloads that aren't sealed.
    ///   - keepsUserInfoSealed: `true` leaves `userInfo` sealed. The app then opens it again when it needs it, and knows the
    ///     sender.
    ///   - keepsDeliveredAttributes: `true` leaves the delivered badge, sound, thread, category and similar attributes if the
    ///     original doesn't have them. Anyone who can send pushes to the app chooses them.
    ///   - strings: The app's string table for localization keys in the original; `nil` displays the keys themselves.
    ///   - hasFilteringEntitlement: `true` if Apple has granted the extension the entitlement
    ///     `com.apple.developer.usernotifications.filtering`, without which it must display a text.
    ///   - shared: The user's choice of display, and the displayed notifications for withdrawals; `nil` displays all of the
    ///     original, and removes nothing.
    public init(
        _ opener: Opener, fallback: FallbackText = .standard, unsealedPayloads: UnsealedPayloads = .reject,
        keepsUserInfoSealed: Bool = false, keepsDeliveredAttributes: Bool = false,
        strings: (any StringTable)? = nil, hasFilteringEntitlement: Bool = false, shared: SharedNotifications? = nil
    ) {
        self.opener = opener
        self.fallback = fallback
        self.unsealedPayloads = unsealedPayloads
        self.keepsUserInfoSealed = keepsUserInfoSealed
        self.keepsDeliveredAttributes = keepsDeliveredAttributes
        self.strings = strings
        self.hasFilteringEntitlement = hasFilteringEntitlement
        self.shared = shared
    }

    /// Opens a notification, and returns when the key store does.
    public func open(_ notification: DeliveredNotification) -> NotificationResult { open(notification) { true } }

    /// Opens a notification, unless its result isn't wanted any more.
    func open(_ notification: DeliveredNotification, isWanted: () -> Bool) -> NotificationResult {
        do throws(PushCryptError) {
            let envelope = try notification.sealedValue.get().envelope()
            let push = try opener.open(
                envelope: envelope, as: MessageKind.alert, deliveredAt: notification.date, isWanted: isWanted)
            let payload = try JSONValue(forDisplay: push.payload).objectValue ?? [:]
            let display = shared?.display ?? .full
            if push.kind == .withdrawal {
                let withdrawal = try Withdrawal(payload)
                let text = NotificationContent(delivered: payload, strings: strings)
                var result = dropped(push, showing: display == .full ? text : nil)
                result.withdrawal = withdrawal
                return result
            }
            let content = notification.content.replaced(
                by: payload, strings: strings, keepingSealed: keepsUserInfoSealed,
                keepingDelivered: keepsDeliveredAttributes)
            guard content.hasText else {
                throw PushCryptError(
                    .noAlertText,
                    "The opened payload has no title, subtitle or body. Send it as a background push instead.")
            }
            var outcome = NotificationOutcome.opened(push)
            outcome.thread = payload["aps"]?["thread-id"]?.stringValue ?? ""
            var result = NotificationResult(content: content.reduced(to: display, fallback), outcome: outcome)
            result.isReduced = display != .full
            return result
        } catch {
            if error.code == .notSealed, unsealedPayloads == .allow, notification.content.hasText {
                let content = notification.content.reduced(to: shared?.display ?? .full, fallback)
                return NotificationResult(content: content, outcome: .unsealed)
            }
            return fallback(for: notification, because: error)
        }
    }

    /// Opens a notification again that the system displays with the fallback, and removes what is withdrawn.
    ///
    /// - Returns: The content to display instead; `nil` if the notification isn't sealed, displays the original or its reduced
    ///   text already, displays the text of a dropped message, or can't be opened now either. A failing replay guard also returns `nil`, so that a later attempt can open it.
    package func reopen(
        _ notification: DeliveredNotification, _ list: (any DeliveredList)? = nil
    ) -> NotificationResult? {
        // An opened notification isn't sealed any more, unless the app keeps it sealed. Then only its text tells.
        let content = notification.content
        let isFallback = content.title.isEmpty && content.subtitle.isEmpty && fallback.all.contains(content.body)
        guard isFallback || !keepsUserInfoSealed && content.body != fallback.droppedBody else { return nil }
        let result = open(notification)
        guard let push = result.outcome.push, push.replayGuardFailure == nil else { return nil }
        // A reduced notification stays sealed, and has its text already.
        guard !result.isReduced || !result.content.hasTexts(of: content) else { return nil }
        let admitted = (try? admitted(result, notification)) ?? result
        guard admitted.outcome.isDropped, let list else { return admitted }
        list.remove([notification.identifier])
        if let withdrawal = result.withdrawal, push.signer != nil, let shared {
            try? shared.withdraw(withdrawal, push)
            try? shared.beginRemoving(from: list)
        }
        return nil
    }

    /// Records a notification that is about to be displayed; returns a dropped one if it was withdrawn.
    func admitted(
        _ result: NotificationResult, _ notification: DeliveredNotification
    ) throws(PushCryptError) -> NotificationResult {
        guard let shared else { return result }
        guard let push = result.outcome.push, !result.outcome.isDropped else {
            // A withdrawal must not remove this text instead of the one that it replaces.
            if result.content.hasText { try? shared.replace(notification.identifier) }
            return result
        }
        guard try shared.admit(push, identifier: notification.identifier, thread: result.outcome.thread) else {
            return try admitted(dropped(push), notification)
        }
        var result = result
        if shared.countsBadge, result.content.badge == nil { result.badge = try shared.count() }
        return result
    }

    /// Returns the result for an opened message that isn't displayed: nothing, or the quietest text.
    func dropped(_ push: OpenedPush, showing text: NotificationContent? = nil) -> NotificationResult {
        var content = NotificationContent()
        if !hasFilteringEntitlement {
            content = text.flatMap { $0.hasText ? $0 : nil } ?? NotificationContent(body: fallback.droppedBody)
            content.sound = nil
            content.interruptionLevel = .passive
        }
        var outcome = NotificationOutcome.opened(push)
        outcome.isDropped = true
        return NotificationResult(content: content, outcome: outcome)
    }

    /// Returns the fallback for a notification that can't be opened.
    func fallback(for notification: DeliveredNotification, because error: PushCryptError) -> NotificationResult {
        NotificationResult(
            content: notification.content.fallback(fallback.text(for: error.code)), outcome: .fallback(error))
    }
}
