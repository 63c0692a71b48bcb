public import PushCryptCore

/// The state (`content-state`) of a Live Activity, sealed or open.
///
/// The system passes the push of a Live Activity to the widget without any extension, so the widget
/// opens it:
///
/// ```swift
/// nonisolated struct OrderState: Codable, Hashable, Sendable {
///     var minutes: Int
/// }
/// typealias ContentState = SealedActivityState<OrderState>
///
/// let state = try JSONDecoder().decode(ContentState.self, from: Data(json))
/// let order = try state.value(opener: opener, unsealed: .reject)
/// ```
///
/// It encodes and decodes as `{"ENCRYPTED_DATA":"…"}`, or as the value itself if the app starts the
/// Live Activity. It opens only what was sealed as a state; ``SealedActivityAttributes`` opens
/// attributes.
public struct SealedActivityState<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable
{
    private let content: ActivityValue<Value>

    private init(_ content: ActivityValue<Value>) { self.content = content }

    /// Creates an open state, with which the app starts or updates the Live Activity itself.
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
    ///   something else is sealed, such as attributes, `missingValue` or `typeMismatch` and the
    ///   member's location, or the code of the first failed check.
    public func value(opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) -> Value {
        try content.value(as: .activityState, opener: opener, unsealed: unsealed)
    }

    /// Decodes a sealed or an open value.
    public init(from decoder: any Decoder) throws { self.init(try ActivityValue(from: decoder)) }

    /// Encodes the sealed or the open value.
    public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension SealedActivityState: CustomStringConvertible, Redacted {
    /// The description, which never has the content.
    public var description: String {
        "\(isSealed ? "a sealed" : "an open") value of a Live Activity"
    }
}
