internal import PushCryptCore

extension Payload {
    /// The sound of a notification: a name, or a dictionary for a critical alert.
    public enum Sound: Hashable, Sendable {
        /// The name of a file of the app, or `default`.
        case named(String)
        /// A dictionary.
        case dictionary(CriticalSound)

        /// The system's sound.
        public static let standard = Sound.named("default")

        /// Returns the sound of a critical alert, which requires Apple's permission, with a volume
        /// from 0 to 1.
        public static func critical(_ name: String = "default", volume: Double? = nil) -> Sound {
            .dictionary(CriticalSound(name: name, volume: volume))
        }
    }

    /// The dictionary of a sound, with a property for each of Apple's keys.
    public struct CriticalSound: Hashable, Sendable {
        /// The number 1 for a critical alert: `critical`.
        public var critical: Int? = 1
        /// The name of a file of the app, or `default`: `name`.
        public var name: String?
        /// The volume from 0 to 1: `volume`.
        public var volume: Double?
        /// The members that no property represents.
        public var other: Payload.UnknownMembers = [:]
    }
}

extension Payload.Sound: ExpressibleByStringLiteral {
    /// Creates a sound from the name of a file of the app, or `default`.
    public init(stringLiteral value: String) { self = .named(value) }

    init?(_ value: JSONValue) throws(PushCryptError) {
        switch value {
        case .string(let name): self = .named(name)
        case .object(let members): self = .dictionary(try Payload.CriticalSound().reading(members))
        default: return nil
        }
    }

    var value: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .dictionary(let sound): .object(sound.members)
        }
    }
}

extension Payload.CriticalSound: PayloadDictionary {
    mutating func code(with coder: inout PayloadCoder) {
        coder.code(.critical, &critical)
        coder.code(.name, &name)
        coder.code(.volume, &volume)
    }
}
