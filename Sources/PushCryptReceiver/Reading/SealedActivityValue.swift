internal import Foundation
public import PushCryptCore

/// The state (`content-state`) or the attributes of a Live Activity, sealed or open.
///
/// The system passes the push of a Live Activity to the widget without any extension, so the widget opens it:
///
/// ```swift
/// nonisolated struct OrderState: Codable, Hashable, Sendable {
///     var minutes: Int
/// }
/// typealias ContentState = SealedActivityValue<OrderState>
///
/// let state = try JSONDecoder().decode(ContentState.self, from: Data(json))
/// let order = try state.value(opener: opener, unsealed: .reject)
/// ```
///
/// It encodes and decodes as `{"ENCRYPTED_DATA":"…"}`, or as the value itself if the app starts the Live Activity.
public enum SealedActivityValue<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// A sealed value of a push.
    case sealed(SealedValue)
    /// A value that the app created.
    case open(Value)

    /// Returns the value, and opens it if it's sealed.
    ///
    /// - Parameters:
    ///   - opener: The opener of messages. Its replay guard isn't asked, because a widget is drawn many times.
    ///   - unsealed: The treatment of open values. Allow them only if the app starts Live Activities on the device.
    /// - Returns: The value.
    /// - Throws: ``PushCryptError`` with `notSealed` if an open value is rejected, `missingValue` or `typeMismatch` and
    ///   the member's location, or the code of the first failed check.
    public func value(opener: Opener, unsealed: UnsealedPayloads) throws(PushCryptError) -> Value {
        switch self {
        case .open(let value):
            guard unsealed == .allow else {
                throw PushCryptError(
                    .notSealed, "The Live Activity's value isn't sealed. Seal it, or allow unsealed values.")
            }
            return value
        case .sealed(let sealed):
            // A widget is drawn long after the push, whose date isn't known.
            let push = try opener.withoutReplayGuard.open(
                sealed, as: [.activityState, .activityAttributes], deliveredAt: .distantPast)
            return try MemberDecoding.decode(Value.self, from: push.payload, at: [], JSONDecoder())
        }
    }

    private enum CodingKeys: String, CodingKey {
        case sealed = "ENCRYPTED_DATA"
    }

    /// Decodes a sealed or an open value.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self), container.contains(.sealed) {
            self = .sealed(SealedValue(text: Array(try container.decode(String.self, forKey: .sealed).utf8)))
        } else {
            self = .open(try Value(from: decoder))
        }
    }

    /// Encodes the sealed or the open value.
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

extension SealedActivityValue: CustomStringConvertible, Redacted {
    /// The name of the case, without the content.
    public var description: String {
        switch self {
        case .sealed: "a sealed value of a Live Activity"
        case .open: "an open value of a Live Activity"
        }
    }
}
