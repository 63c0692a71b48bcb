public import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a Live Activity shows (`content-state`) or starts with (`attributes`), sealed or open.
///
/// No extension ever sees the push of a Live Activity: ActivityKit decodes the state by itself and hands it to the widget,
/// which opens it. So the app declares its state as `SealedActivityValue<State>`, with `State` its own type:
///
/// ```text
/// struct OrderAttributes: ActivityAttributes {
///     typealias ContentState = SealedActivityValue<OrderState>
/// }
/// ```
///
/// It encodes and decodes as what travels: `{"ENCRYPTED_DATA":"…"}`, or the state itself where the app starts a Live
/// Activity on the device. It is as small as the text that it holds.
public enum SealedActivityValue<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// As it came with a push; nobody has looked into it yet.
    case sealed(SealedValue)
    /// In the clear, as the app has made it.
    case open(Value)

    /// The value, opened if need be.
    ///
    /// - Parameters:
    ///   - opener: opens what is sealed. Its replay guard is left out: a widget is drawn many times.
    ///   - unsealed: what to do with a value that is not sealed: accept it where the app starts Live Activities on the
    ///     device by itself, otherwise refuse it.
    /// - Returns: the value.
    /// - Throws: ``PushCryptError`` with `notSealed` where it is refused, `missingValue` or `typeMismatch` and the
    ///   member's place where it is not of the type, or why it does not open.
    public func value(opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) -> Value {
        switch self {
        case .open(let value):
            guard unsealed == .accept else {
                throw PushCryptError(.notSealed, "The Live Activity's value is not sealed.")
            }
            return value
        case .sealed(let sealed):
            let push = try opener.withoutReplayGuard.open(sealed)
            return try MemberDecoding.decode(Value.self, from: push.payload, at: [], JSONDecoder())
        }
    }

    private enum CodingKeys: String, CodingKey {
        case sealed = "ENCRYPTED_DATA"
    }

    /// Decodes what travels.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self), container.contains(.sealed) {
            self = .sealed(SealedValue(text: try container.decode(String.self, forKey: .sealed)))
        } else {
            self = .open(try Value(from: decoder))
        }
    }

    /// Encodes what travels.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .open(let value):
            try value.encode(to: encoder)
        case .sealed(let sealed):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(String(decoding: sealed.text, as: UTF8.self), forKey: .sealed)
        }
    }
}

extension SealedActivityValue: CustomStringConvertible, CustomReflectable {
    /// Which of the two it is, nothing of the content.
    public var description: String {
        switch self {
        case .sealed: "a sealed value of a Live Activity"
        case .open: "an open value of a Live Activity"
        }
    }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
