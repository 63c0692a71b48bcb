public import PushCryptCore

/// A list of notifications that a device removes, because the user has read them elsewhere or the
/// server has deleted them.
///
/// ```swift
/// let withdrawal = Withdrawal(collapseIDs: ["message-4711"], threadIDs: ["family"])
/// ```
///
/// It acts on notifications of its own account that were issued no later than itself, even if they
/// arrive after it.
public struct Withdrawal: Hashable, Sendable {
    /// The `apns-collapse-id` of each notification, at most 64 bytes.
    public var collapseIDs: [String]

    /// The `thread-id` of conversations, as the original payloads have it.
    public var threadIDs: [String]

    /// The content for a device without the filtering entitlement; `nil` displays the app's default
    /// words.
    public var aps: Payload.APS?

    /// Creates a list of notifications.
    public init(collapseIDs: [String] = [], threadIDs: [String] = [], aps: Payload.APS? = nil) {
        self.collapseIDs = collapseIDs
        self.threadIDs = threadIDs
        self.aps = aps
    }

    /// The number of notifications and threads, because the device remembers 500 of them.
    package static let counts = 1...100

    /// Returns a Boolean value that indicates whether a string can be an `apns-collapse-id`.
    package static func isCollapseID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The name of a member of the payload.
    package enum Member: String, CaseIterable {
        case collapseIDs = "collapse-ids"
        case threadIDs = "thread-ids"
    }

    /// Reads a payload.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch`.
    package init(_ payload: [String: JSONValue]) throws(PushCryptError) {
        try self.init(
            collapseIDs: Self.texts(.collapseIDs, of: payload),
            threadIDs: Self.texts(.threadIDs, of: payload))
        guard Self.counts.contains(collapseIDs.count + threadIDs.count) else {
            throw PushCryptError(
                .typeMismatch,
                "A withdrawal names between 1 and 100 notifications or threads. Split it.")
        }
    }

    private static func texts(_ name: Member, of payload: [String: JSONValue])
        throws(PushCryptError) -> [String]
    {
        guard let value = payload[name.rawValue] else { return [] }
        let texts = value.arrayValue?.map(\.stringValue) ?? [nil]
        guard !texts.contains(where: { $0?.isEmpty != false }) else {
            throw PushCryptError(
                .typeMismatch,
                "\"\(name.rawValue)\" isn't an array of strings with text. Change its value.")
        }
        return texts.compactMap(\.self)
    }
}

extension Withdrawal: Encodable, Redacted {
    /// Encodes the payload of a withdrawal.
    public func encode(to encoder: any Encoder) throws {
        var payload = Payload(aps: aps)
        for (name, texts) in [(Member.collapseIDs, collapseIDs), (.threadIDs, threadIDs)]
        where !texts.isEmpty {
            payload.custom[name.rawValue] = .array(texts.map { .string($0) })
        }
        try payload.encode(to: encoder)
    }
}
