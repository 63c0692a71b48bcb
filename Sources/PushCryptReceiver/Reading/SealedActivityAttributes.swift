public import PushCryptCore

/// The attributes (`attributes`) of a Live Activity, sealed or open.
///
/// The push that starts a Live Activity has them. They encode and decode as the only value of your
/// attributes:
///
/// ```swift
/// nonisolated struct Order: Codable, Hashable, Sendable {
///     var id: Int
/// }
/// nonisolated struct OrderAttributes: Codable {
///     let order: SealedActivityAttributes<Order>
///
///     init(from decoder: any Decoder) throws {
///         order = try SealedActivityAttributes(from: decoder)
///     }
///     func encode(to encoder: any Encoder) throws { try order.encode(to: encoder) }
/// }
/// ```
///
/// It opens only what was sealed as attributes; ``SealedActivityState`` opens states.
public struct SealedActivityAttributes<Value: Codable & Hashable & Sendable>: Codable, Hashable,
    Sendable
{
    private let content: ActivityValue<Value>

    private init(_ content: ActivityValue<Value>) { self.content = content }

    /// Creates open attributes, with which the app starts the Live Activity itself.
    public static func open(_ value: Value) -> Self { Self(.open(value)) }

    /// A Boolean value that indicates whether the value came sealed, in a push.
    public var isSealed: Bool {
        if case .sealed = content { true } else { false }
    }

    /// Returns the value, and opens it if it's sealed.
    ///
    /// - Parameters:
    ///   - opener: The opener of messages. Its replay guard isn't asked, because a widget is drawn
    ///     many times.
    ///   - unsealed: The treatment of open values. Allow them only if the app starts Live
    ///     Activities on the device.
    /// - Returns: The value.
    /// - Throws: ``PushCryptError`` with `notSealed` if an open value is rejected, `wrongKind` if
    ///   something else is sealed, such as a state, `missingValue` or `typeMismatch` and the
    ///   member's location, or the code of the first failed check.
    public func value(opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) -> Value {
        try content.value(as: .activityAttributes, opener: opener, unsealed: unsealed)
    }

    /// Decodes a sealed or an open value.
    public init(from decoder: any Decoder) throws { self.init(try ActivityValue(from: decoder)) }

    /// Encodes the sealed or the open value.
    public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension SealedActivityAttributes: CustomStringConvertible, Redacted {
    /// The description, which never has the content.
    public var description: String {
        "\(isSealed ? "a sealed" : "an open") value of a Live Activity"
    }
}
