internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring
internal import PushCryptPayload

extension Recipient: Codable {
    private enum CodingKeys: CodingKey {
        case account, carrier, deviceToken, formerKeys, proved, registered, registration
    }

    /// Decodes a stored recipient, with the checks of a new one.
    ///
    /// A row of a newer version is decoded, too. Its ``unknownMember`` isn't `nil`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let registration = try members.decode(JSONValue.self, forKey: .registration)
        let registered = Date(
            millisecondsSince1970: try members.decode(UInt64.self, forKey: .registered))
        let proved = try members.decodeIfPresent(UInt64.self, forKey: .proved)
        guard proved ?? 0 <= JSONDocument.maximumInteger else {
            throw PushCryptError(
                .malformedRegistration,
                "The time of the row's proof isn't valid. Restore the row from a backup.")
        }
        let carrier = try members.decodeIfPresent(String.self, forKey: .carrier)
        try self.init(
            Registration(parsing: registration.json()),
            deviceToken: members.decode(String.self, forKey: .deviceToken),
            account: members.decode(String.self, forKey: .account), registered: registered,
            formerKeys: members.decodeIfPresent([FormerKey].self, forKey: .formerKeys) ?? [],
            carrier: carrier.map { Carrier(rawValue: $0) } ?? .apns,
            proved: proved.map { Date(millisecondsSince1970: $0) },
            unknownMember: RowMembers.unknown(in: JSONValue(from: decoder)))
    }

    /// Encodes the recipient for the database.
    ///
    /// - Throws: ``PushCryptError`` with `newerFormat` if ``unknownMember`` isn't `nil`, or the
    ///   encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try RowMembers.check(unknownMember)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(deviceToken, forKey: .deviceToken)
        if carrier != .apns { try members.encode(carrier.rawValue, forKey: .carrier) }
        if !formerKeys.isEmpty { try members.encode(formerKeys, forKey: .formerKeys) }
        try members.encodeIfPresent(proved?.millisecondsSince1970, forKey: .proved)
        try members.encode(registered.millisecondsSince1970, forKey: .registered)
        try members.encode(JSONValue(parsing: registration.json), forKey: .registration)
    }
}

extension FormerKey: Codable {
    private enum CodingKeys: CodingKey {
        case kid, replaced
    }

    /// Decodes a former key of a stored recipient.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let replaced = try members.decode(UInt64.self, forKey: .replaced)
        guard replaced <= JSONDocument.maximumInteger,
            let key = Self(
                kid: try members.decode(String.self, forKey: .kid),
                replaced: Date(millisecondsSince1970: replaced))
        else {
            throw PushCryptError(
                .malformedRegistration,
                "A former key of the row isn't valid. Restore the row from a backup.")
        }
        self = key
    }

    /// Encodes the former key for the database.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(kid, forKey: .kid)
        try members.encode(replaced.millisecondsSince1970, forKey: .replaced)
    }
}
