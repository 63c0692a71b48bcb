internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an installation of an app remembers about itself: its made-up name, and what its server has confirmed last.
///
/// Nothing in it is secret. It must not travel with a backup: there it would say of old keys that they are known, and of
/// another device that it is this one.
struct RegistrationState: Sendable {
    /// What the server has confirmed, as hashes.
    struct Registered: Sendable, Hashable {
        let key: String
        /// Of the device token and the account together: an account by itself could be guessed.
        let token: String

        init(key: String, token: String) {
            self.key = key
            self.token = token
        }

        init(_ registration: Registration, _ token: String, _ account: String) throws(PushCryptError) {
            key = registration.key.thumbprint.description
            self.token = Base64URL.encode(try SHA256.hash(Array("\(token):\(account)".utf8)).array)
        }
    }

    /// All that is noted.
    struct Contents: Sendable, Hashable {
        var installation: String
        var registered: Registered?
        /// When the server has confirmed it, by the device's clock, in seconds since 1970.
        var confirmed: Int64?

        mutating func confirm(_ registered: Registered, at now: Date) {
            self.registered = registered
            // A clock of no number says nothing; the server is then asked again.
            confirmed = Int64(exactly: now.timeIntervalSince1970.rounded(.down))
        }
    }

    private let path: String

    init(path: String) {
        self.path = path
    }

    /// The made-up name, which is made where there is none.
    func installation() throws(PushCryptError) -> String {
        try read().installation
    }

    /// Reads what is noted, or begins.
    func read() throws(PushCryptError) -> Contents {
        try file.withLock { () throws(PushCryptError) in try readOrBegin() }
    }

    /// Changes what is noted.
    func change(_ change: (inout Contents) -> Void) throws(PushCryptError) {
        try file.withLock { () throws(PushCryptError) in
            var contents = try readOrBegin()
            change(&contents)
            try write(contents)
        }
    }

    private var file: SecretFile { SecretFile(path) }

    private func readOrBegin() throws(PushCryptError) -> Contents {
        do throws(PushCryptError) {
            let bytes = try file.read().read { (bytes) in bytes.indices.map { bytes[$0] } }
            if let contents = Self.contents(bytes) { return contents }
            // What cannot be understood is of no use to anybody. The keys are elsewhere, and stay.
        } catch {
            guard error.code == .fileNotFound else { throw error }
        }
        var name = [UInt8](repeating: 0, count: 16)
        try RandomBytes.fill(&name, 0..<16)
        let contents = Contents(installation: Base64URL.encode(name))
        try write(contents)
        return contents
    }

    private func write(_ contents: Contents) throws(PushCryptError) {
        var members: [String: JSONValue] = ["installation": .string(contents.installation)]
        if let registered = contents.registered {
            members["key"] = .string(registered.key)
            members["token"] = .string(registered.token)
            if let confirmed = contents.confirmed { members["confirmed"] = .number(JSONNumber(confirmed)) }
        }
        try OutputFile.write(JSONText.encoded(JSONValue.object(members)), to: path, isPrivate: true)
    }

    private static func contents(_ bytes: [UInt8]) -> Contents? {
        guard let members = (try? JSONValue(parsing: bytes))?.objectValue,
            case .string(let installation) = members["installation"], !installation.isEmpty
        else { return nil }
        guard case .string(let key) = members["key"], case .string(let token) = members["token"] else {
            return Contents(installation: installation)
        }
        var contents = Contents(installation: installation, registered: Registered(key: key, token: token))
        contents.confirmed = members["confirmed"]?.numberValue?.exactly(Int64.self)
        return contents
    }
}
