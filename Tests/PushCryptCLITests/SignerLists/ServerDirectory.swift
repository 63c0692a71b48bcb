import Foundation
import PushCryptTesting
import Testing

/// A directory with the keyrings of a server and of a root, and the tool.
struct ServerDirectory {
    let tool: Tool
    let first: VerificationKey
    let root: VerificationKey
    private let device: RecipientPrivateKey

    init() throws {
        tool = try Tool()
        first = try tool.createServer()
        root = try tool.createKeyring("root.jwks", of: SigningKey.self)
        try tool.write(root.jwk, to: "root.jwk")
        device = try RecipientPrivateKey()
        try tool.write(device.publicKey.jwk, to: "device.jwk")
    }

    /// Runs `pushcrypt keys` with the server's keyring.
    func run(_ arguments: String..., input: String? = nil) throws -> Tool.Run {
        try tool.run(
            all: ["keys"] + arguments, input: input,
            environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
    }

    func ring(_ name: String = "server.jwks") throws -> Keyring<SigningKey> {
        try file(name).read()
    }

    func file(_ name: String) -> KeyringFile<SigningKey> { KeyringFile(path: tool.path(name)) }

    @discardableResult
    func addPending(at date: Date = Date()) throws -> VerificationKey {
        let ring = try file("server.jwks").update { (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: date)
        }
        return try #require(ring.pending.last).key.publicKey
    }

    /// Promotes the pending key, or a new one, and returns it.
    @discardableResult
    func rotate(at date: Date = Date()) throws -> VerificationKey {
        try file("server.jwks").update { (ring) throws(PushCryptError) in
            guard let next = ring.pending.first else { return try ring.rotate(at: date) }
            try ring.promote(next.key.publicKey.keyID, at: date)
        }.primary.key.publicKey
    }

    @discardableResult
    func announce(_ arguments: String...) throws -> SignerList {
        let run = try tool.run(
            all: ["keys", "announce", "--root", "root.jwks", "-o", "signers.jws"] + arguments,
            environment: ["PUSHCRYPT_KEYRING": "server.jwks"])
        #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
        return try list()
    }

    func list(_ name: String = "signers.jws") throws -> SignerList {
        try SignerList(verifying: tool.read(name), roots: [root, first])
    }

    /// Replaces the server's keyring by one whose key was created so many days ago, and returns the
    /// key.
    func age(days: Int) throws -> VerificationKey {
        try FileManager.default.removeItem(atPath: tool.path("server.jwks"))
        return try file("server.jwks").readOrCreate(at: Self.date(-days)).primary.key.publicKey
    }

    /// Subtracts days from the dates since which retired keys aren't needed.
    func ageUnneededKeys(days: Int) throws {
        let text = try tool.read("server.jwks")
        #expect(text.contains("unneeded"))
        let aged = text.replacing(#/"unneeded":([0-9]+)/#) {
            "\"unneeded\":\((Int($0.output.1) ?? 0) - days * 24 * 3600)"
        }
        try tool.write(aged, to: "server.jwks", mode: 0o600)
    }

    static func date(_ days: Int) -> Date {
        Date().addingTimeInterval(TimeInterval(days * 24 * 3600))
    }

    /// Returns a registration of the device.
    func registration(accepting keys: [VerificationKey]?) -> String {
        Registration(
            key: device.publicKey, generation: 1, created: Date(), lifetime: 604_800,
            signers: keys.flatMap { AcceptedSigners($0) }
        ).json
    }

    func write(_ registrations: String..., to name: String = "devices.ndjson") throws {
        try tool.write(registrations.joined(separator: "\n") + "\n", to: name)
    }

    /// Opens a payload on the device.
    func open(_ payload: [UInt8], signedBy keys: [VerificationKey]) throws(PushCryptError)
        -> [UInt8]
    {
        try Opener(keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: keys)).open(
            json: payload
        ).payload
    }
}

extension Keyring where Key == SigningKey {
    /// The public keys in every state.
    var publicKeys: [VerificationKey] { keys.map(\.publicKey) }
}
