internal import Foundation
internal import PushCryptCore
internal import PushCryptPayload

/// The stored state of an account's registration: the installation's random name, what the server
/// has confirmed, and what the device has begun.
///
/// Times are the device's, in seconds since 1970.
struct RegistrationRecord: Sendable, Hashable, Codable {
    /// A registration that the device has sent, and the server hasn't confirmed.
    struct Begun: Sendable, Hashable, Codable {
        /// The registration as the device has sent it, without private keys.
        let registration: String
        /// The hash of the device token and the account together.
        let token: String
        /// The time of the first request.
        let since: Int64
        /// The time of the last request.
        let asked: Int64
        /// The number of challenges that the server has sent for this registration.
        var challenges: Int64 = 0
        /// A Boolean value that indicates whether the server has answered the last request with a
        /// challenge.
        var waiting = false

        static func knows(_ member: String) -> Bool { CodingKeys(stringValue: member) != nil }
    }

    /// The last challenge that has reached the app.
    struct Arrival: Sendable, Hashable, Codable {
        /// The time of the arrival.
        let date: Int64
        /// The code of the error for which the device couldn't open it.
        var problem: String?

        static func knows(_ member: String) -> Bool { CodingKeys(stringValue: member) != nil }
    }

    /// The installation's random name.
    var installation: String
    /// The thumbprint of the key that the server has confirmed.
    var key: String?
    /// The hash of the device token and the account of the confirmed registration.
    var token: String?
    /// The hash of the accepted keys in the confirmed registration and of the pinned roots; `nil`
    /// without a policy.
    var signers: String?
    /// The time of the confirmation; `nil` if the server has to be asked again.
    var confirmed: Int64?
    /// The time of the last registration that a push asked for.
    var asked: Int64?
    /// The registration that the device has begun; `nil` if the server has confirmed the last one.
    var begun: Begun?
    /// The last challenge that has reached the app.
    var arrival: Arrival?
    /// The time of the last answer to a challenge.
    var answered: Int64?
    /// The seconds by which the server's clock was ahead of the device's at its last answer.
    var clock: Int64?

    init(installation: String) { self.installation = installation }

    /// Creates the record of a new installation.
    static func new() throws(PushCryptError) -> Self {
        var name = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&name, 0..<16)
        return Self(installation: Base64URL.encode(name))
    }

    /// The confirmed registration, as hashes.
    var registered: RegisteredHashes? {
        get {
            guard let key, let token else { return nil }
            return RegisteredHashes(key: key, token: token, signers: signers)
        }
        set {
            key = newValue?.key
            token = newValue?.token
            signers = newValue?.signers
        }
    }

    /// Returns a date in whole seconds; `nil` for a time that isn't a number, so that the server is
    /// asked again.
    static func seconds(_ date: Date) -> Int64? {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down))
    }

    // MARK: The file

    /// The record as JSON.
    var json: [UInt8] { get throws(PushCryptError) { try JSONText.encoded(self) } }

    /// Parses a file.
    ///
    /// - Returns: The record; `nil` if the file is damaged. It is replaced then: the keys are
    ///   elsewhere, and the server is asked again.
    /// - Throws: ``PushCryptError`` with `newerFormat` if a newer version has written it.
    init?(parsing bytes: [UInt8]) throws(PushCryptError) {
        guard var members = (try? JSONValue(parsing: bytes))?.objectValue else { return nil }
        try Self.checkVersion(members)
        guard let name = members["installation"]?.stringValue, !name.isEmpty else { return nil }
        if let record = Self(decoding: members) {
            self = record
            return
        }
        // A damaged member is forgotten, and the installation keeps its name.
        for (member, value) in members where member != "installation" {
            if Self(decoding: ["installation": .string(name), member: value]) == nil {
                members[member] = nil
            }
        }
        guard let record = Self(decoding: members) else { return nil }
        self = record
    }

    private init?(decoding members: [String: JSONValue]) {
        guard let json = try? JSONValue.object(members).json(),
            let record = try? JSONDecoder().decode(Self.self, from: Data(json))
        else { return nil }
        self = record
    }

    /// Throws if the file has members of a newer version.
    ///
    /// A file of this version needn't state its version.
    private static func checkVersion(_ members: [String: JSONValue]) throws(PushCryptError) {
        let names =
            members.keys.filter { CodingKeys(stringValue: $0) == nil }
            + (members["begun"]?.objectValue ?? [:]).keys.filter { !Begun.knows($0) }
            + (members["arrival"]?.objectValue ?? [:]).keys.filter { !Arrival.knows($0) }
        let isVersionOne = members["version"]?.numberValue?.exactly(Int.self) == 1
        guard let name = names.first(where: { $0 != "version" || !isVersionOne }) else { return }
        throw .newerFormat(member: name, of: "state of the registration")
    }
}
