internal import Foundation
internal import PushCryptCore

/// A value in a Live Activity's push, sealed or open.
enum ActivityValue<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    case sealed(SealedValue)
    case open(Value)

    /// Returns the value, and opens it if it's sealed as the only accepted kind.
    func value(as kind: MessageKind, opener: Opener, unsealed: UnsealedPayloads)
        throws(PushCryptError) -> Value
    {
        switch self {
        case .open(let value):
            guard unsealed == .allow else {
                throw PushCryptError(
                    .notSealed,
                    "The Live Activity's value isn't sealed. Seal it, or allow unsealed values.")
            }
            return value
        case .sealed(let sealed):
            // A widget is drawn long after the push, whose date isn't known.
            let push = try opener.withoutReplayGuard.open(
                sealed, as: [kind], deliveredAt: .distantPast)
            return try MemberDecoding.decode(Value.self, from: push.payload, at: [], JSONDecoder())
        }
    }

    private enum CodingKeys: String, CodingKey {
        case sealed = "ENCRYPTED_DATA"
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: CodingKeys.self),
            container.contains(.sealed)
        {
            self = .sealed(
                SealedValue(text: Array(try container.decode(String.self, forKey: .sealed).utf8)))
        } else {
            self = .open(try Value(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .open(let value):
            try value.encode(to: encoder)
        case .sealed(let sealed):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(String(decoding: sealed.text, as: UTF8.self), forKey: .sealed)
        }
    }
}
