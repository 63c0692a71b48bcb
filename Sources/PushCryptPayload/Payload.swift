public import PushCryptCore

/// An APNs payload with a property for each of Apple's keys
/// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
///
/// ```swift
/// var payload = Payload(
///     title: "Card payment", body: "You paid 12.50 €.", badge: 3,
///     custom: ["link": "app://cards/1"])
/// payload.aps?.relevanceScore = 0.8
/// let json = try payload.json()
/// ```
///
/// Keys that Apple adds later are kept in `other`. If the device must get the payload byte for
/// byte, seal its JSON.
public struct Payload: Hashable, Sendable, Redacted {
    /// The dictionary `aps`; `nil` if it is missing, as in some VoIP pushes.
    public var aps: APS?

    /// The app's own members.
    public var custom: [String: JSONValue]

    /// Creates a payload.
    public init(aps: APS?, custom: [String: JSONValue] = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Parses a payload from strict JSON.
    ///
    /// - Parameter json: One JSON object in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, even if two names differ in Unicode
    ///   normalization only; or with `typeMismatch` and the location of the member.
    public init(parsing json: some UTF8Text) throws(PushCryptError) {
        try self.init(JSONValue(parsing: json).objectValue ?? [:])
    }

    /// Creates a payload from its members.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the location of the member.
    init(_ members: [String: JSONValue]) throws(PushCryptError) {
        custom = members
        guard let value = members["aps"], value != .null else { return }
        guard let object = value.objectValue else {
            throw PushCryptError(.typeMismatch, "\"aps\" is not a dictionary.")
        }
        aps = try APS().reading(object)
        custom["aps"] = nil
    }

    /// The members, with `aps` and the app's own side by side.
    var members: [String: JSONValue] {
        guard let aps else { return custom }
        return custom.merging(["aps": .object(aps.members)]) { $1 }
    }

    /// Returns the payload as JSON, without white space, with sorted names, and with numbers as
    /// they are written.
    ///
    /// - Returns: The JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `invalidPayload` for infinity and NaN.
    public func json() throws(PushCryptError) -> [UInt8] { try JSONValue.object(members).json() }
}

extension Payload: Codable {
    /// Decodes a payload, with a ``PushCryptError`` if it isn't valid.
    public init(from decoder: any Decoder) throws {
        guard let members = try? [String: JSONValue](from: decoder) else {
            throw PushCryptError(.typeMismatch, "The payload is not a dictionary.")
        }
        try self.init(members)
    }

    /// Encodes the payload.
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}
