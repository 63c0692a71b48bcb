internal import PushCryptCore

extension Payload {
    /// What is heard: `aps.sound`, a string or a dictionary.
    public enum Sound: Hashable, Sendable {
        /// The name of a file of the app, or `default`.
        case named(String)
        /// A dictionary, as critical alerts have it.
        case dictionary(CriticalSound)

        /// The system's sound.
        public static let standard = Sound.named("default")

        /// The sound of a critical alert, which is heard with the device muted too, and needs Apple's permission.
        ///
        /// - Parameters:
        ///   - name: a file of the app, or `default`.
        ///   - volume: from 0 to 1; `nil` leaves it to the system.
        /// - Returns: the sound.
        public static func critical(_ name: String = "default", volume: Double? = nil) -> Sound {
            .dictionary(CriticalSound(name: name, volume: volume))
        }

        init?(_ value: JSONValue) throws(PushCryptError) {
            switch value {
            case .string(let name): self = .named(name)
            case .object(let members): self = .dictionary(try CriticalSound(members))
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

    /// The dictionary that `aps.sound` can be, by the keys of Apple's table.
    public struct CriticalSound: Hashable, Sendable {
        /// 1 for a critical alert: `critical`.
        public var critical: Int?
        /// A file of the app, or `default`: `name`.
        public var name: String?
        /// From 0, silent, to 1: `volume`.
        public var volume: Double?
        /// Keys without a property, `null`, and `true` for 1.
        public var other: [String: JSONValue] = [:]

        /// Makes the dictionary of a critical sound.
        ///
        /// - Parameters:
        ///   - name: a file of the app, or `default`.
        ///   - volume: from 0 to 1.
        public init(name: String? = "default", volume: Double? = nil) {
            critical = 1
            self.name = name
            self.volume = volume
        }

        init(_ object: [String: JSONValue]) throws(PushCryptError) {
            var members = PayloadMembers(object)
            critical = try members.flag(.critical)
            name = try members.string(.name)
            volume = try members.number(.volume)
            other = members.rest
        }

        var members: [String: JSONValue] {
            var writer = PayloadWriter(other)
            writer.put(.critical, critical)
            writer.put(.name, name)
            writer.put(.volume, volume)
            return writer.members
        }
    }
}

extension Payload.Sound: ExpressibleByStringLiteral {
    /// The name of a file of the app, or `default`.
    public init(stringLiteral value: String) { self = .named(value) }
}
