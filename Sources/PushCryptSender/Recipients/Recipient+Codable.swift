internal import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring
internal import PushCryptPayload

extension Recipient: Codable {
    private enum CodingKeys: CodingKey {
        case account, deviceToken, registered, registration
    }

    /// Decodes a stored recipient, with the checks of a new one.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let registration = try members.decode(JSONValue.self, forKey: .registration)
        let registered = Date(millisecondsSince1970: try members.decode(UInt64.self, forKey: .registered))
        try self.init(
            Registration(parsing: registration.json()), deviceToken: members.decode(String.self, forKey: .deviceToken),
            account: members.decode(String.self, forKey: .account), registered: registered)
    }

    /// Encodes the recipient for the database.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(deviceToken, forKey: .deviceToken)
        try members.encode(registered.millisecondsSince1970, forKey: .registered)
        try members.encode(JSONValue(parsing: registration.json), forKey: .registration)
    }
}
