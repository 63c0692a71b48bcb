public import PushCryptCore

/// A complete APNs payload, typed
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
///
/// Every key of Apple's tables has a property. Keys that these lack, because Apple has added them since, are kept where
/// they stand: decoding and encoding loses nothing that Foundation's numbers can hold. To have a payload arrive byte for
/// byte, seal its JSON.
///
/// The common case is one expression: `Payload(title: "Card payment", body: "12.50 €", custom: ["link": "app://card/1"])`.
public struct Payload: Hashable, Sendable {
    /// What is for the system; `nil` where there is no `aps`, as a VoIP push may do without.
    public var aps: APS?

    /// What is for the app: everything beside `aps`, of any depth.
    public var custom: [String: JSONValue]

    /// Puts a payload together.
    ///
    /// - Parameters:
    ///   - aps: what is for the system.
    ///   - custom: what is for the app.
    public init(aps: APS?, custom: [String: JSONValue] = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads a payload from strict JSON.
    ///
    /// - Parameter json: one JSON object in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, also if two names differ in Unicode normalization
    ///   only; or `typeMismatch` and the member's place.
    public init(parsing json: some UTF8Text) throws(PushCryptError) {
        try self.init(JSONValue(parsing: json).objectValue ?? [:])
    }

    /// Reads a payload from its members.
    ///
    /// - Parameter members: the members, `aps` among them.
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the member's place.
    public init(_ members: [String: JSONValue]) throws(PushCryptError) {
        custom = members
        guard let aps = members["aps"], aps != .null else { return }
        guard let object = aps.objectValue else {
            throw PushCryptError(.typeMismatch, "\"aps\" is not a dictionary.")
        }
        self.aps = try APS(object)
        custom["aps"] = nil
    }

    /// The payload as a value, `aps` and custom members side by side.
    public var members: [String: JSONValue] {
        guard let aps else { return custom }
        return custom.merging(["aps": .object(aps.members)]) { $1 }
    }

    /// The payload as JSON in UTF-8, without white space and needless escapes, names in alphabetical order.
    ///
    /// - Returns: the bytes, the same for equal payloads.
    /// - Throws: ``PushCryptError`` with `invalidPayload` where a number is none that JSON has: infinite, or not a number.
    public func json() throws(PushCryptError) -> [UInt8] {
        try JSONValue.object(members).json()
    }
}

extension Payload: Codable {
    /// Decodes a payload; what goes wrong is a ``PushCryptError``.
    public init(from decoder: any Decoder) throws {
        guard let members = try? [String: JSONValue](from: decoder) else {
            throw PushCryptError(.typeMismatch, "The payload is not a dictionary.")
        }
        try self.init(members)
    }

    /// Encodes the payload.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}

extension Payload: CustomStringConvertible, CustomReflectable {
    /// How many members there are, and none of them.
    public var description: String { "Payload with \(custom.count) custom members" }

    /// No members, so that `dump` and debug descriptions do not show the content either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
