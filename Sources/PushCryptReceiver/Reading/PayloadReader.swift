public import Foundation
public import PushCryptCore
public import PushCryptPayload

/// Reads the original payload of a push that the app has received.
///
/// It takes the dictionary of a notification in the foreground or on a tap, of a content extension,
/// or of a push of another type, opened by the extension or still sealed:
///
/// ```swift
/// let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject)
/// let order = try reader.custom("order", "id", as: Int.self)
/// let link = try reader.customIfPresent("link", as: String.self)
/// ```
public struct PayloadReader: Sendable {
    /// The opened message; `nil` if the payload wasn't sealed, or was opened by the extension.
    public let push: OpenedPush?

    /// The original payload: one JSON object in UTF-8.
    ///
    /// It has the bytes that were sealed if it was opened here. If the extension opened it, it's
    /// the JSON of the system's dictionary.
    public let json: [UInt8]

    /// The relation between the displayed text and this message; ``DisplayedState/unknown`` for a
    /// push that no notification displays.
    ///
    /// It answers "was this shown?" without a replay guard.
    public internal(set) var state = DisplayedState.unknown

    /// A Boolean value that indicates whether a replay guard has admitted the message before it was
    /// displayed, as the extension's receipt proves it.
    public internal(set) var isGuarded = false

    /// The name of the account whose key opened the message, here or in the extension; `nil` if
    /// nothing proves it.
    public internal(set) var account: String?

    /// A Boolean value that indicates whether the inbox reads a message for the first time in this
    /// process, whose text the user has seen.
    ///
    /// Senders and attackers send copies. So act on a notification in the foreground only if it's
    /// new. Otherwise it's `false`, as for a payload that no inbox has read.
    public internal(set) var isNew = false

    /// Reads a dictionary of the system.
    ///
    /// - Parameters:
    ///   - userInfo: The `userInfo` of a notification or a background push, or the dictionary of
    ///     another push.
    ///   - kinds: The kinds of messages that fit the push.
    ///   - date: The date of delivery, by which the lifetime is judged; `nil` if the push arrives
    ///     now.
    ///   - opener: The opener of messages. Its replay guard isn't asked, because a message may be
    ///     read more than once. If a background or VoIP push must not take effect twice, open it
    ///     with ``Opener/open(userInfo:as:)`` and read the result.
    ///   - unsealed: The treatment of payloads that aren't sealed.
    /// - Throws: ``PushCryptError`` with `notSealed` if an unsealed payload is rejected,
    ///   `typeMismatch` if the dictionary can't be the payload of a push, or the code of the first
    ///   failed check.
    public init(
        userInfo: [AnyHashable: Any], as kinds: [MessageKind] = [.notification],
        deliveredAt date: Date? = nil,
        opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        let delivery = try SealedPlace(of: opener.carrier)
        if unsealed == .allow, delivery.value(in: userInfo) == nil {
            let members = try JSONValue(userInfo: userInfo).objectValue ?? [:]
            self.init(
                json: try JSONText.encoded(JSONValue.object(SealedPlace.original(of: members))), nil
            )
        } else {
            let value = try SealedValue(userInfo: userInfo, from: opener.carrier)
            self.init(try opener.withoutReplayGuard.open(value, as: kinds, deliveredAt: date))
        }
    }

    /// Reads a payload as JSON in UTF-8, otherwise as
    /// ``init(userInfo:as:deliveredAt:opener:unsealed:)`` does.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `notSealed`, or the code of the first
    ///   failed check.
    public init(
        json: some UTF8Text, as kinds: [MessageKind] = [.notification],
        deliveredAt date: Date? = nil,
        opener: Opener, unsealed: UnsealedPayloads
    ) throws(PushCryptError) {
        let json = json.bytesForPushCrypt
        do throws(PushCryptError) {
            let value = try SealedValue(json: json, from: opener.carrier)
            self.init(try opener.withoutReplayGuard.open(value, as: kinds, deliveredAt: date))
        } catch {
            guard unsealed == .allow, error.code == .notSealed else { throw error }
            self.init(json: json, nil)
        }
    }

    /// Reads an opened message.
    public init(_ push: OpenedPush) { self.init(json: push.payload, push) }

    init(json: [UInt8], _ push: OpenedPush?) {
        self.push = push
        account = push?.account
        self.json = json
    }

    /// A Boolean value that indicates whether the payload was opened here, so that its sender is an
    /// accepted one.
    public var isOpened: Bool { push != nil }

    /// Returns the typed payload.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the member's location if a member
    ///   doesn't have Apple's type.
    public func payload() throws(PushCryptError) -> Payload { try Payload(parsing: json) }

    /// Returns the content that a notification with this payload displays, without an extension's
    /// additions.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, which can't happen for a payload that was
    ///   read.
    public func content(strings: (any StringTable)? = nil) throws(PushCryptError)
        -> NotificationContent
    {
        let members = try JSONValue(forDisplay: json).objectValue ?? [:]
        return NotificationContent().replaced(
            by: SealedPlace.original(of: members), strings: strings)
    }
}

extension PayloadReader: CustomStringConvertible, Redacted {
    /// The payload's length, and whether it was opened here.
    public var description: String {
        "PayloadReader of \(json.count) bytes, \(isOpened ? "opened" : "unsealed")"
    }
}
