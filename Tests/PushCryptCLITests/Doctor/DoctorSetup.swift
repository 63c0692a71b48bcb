import ArgumentParser
import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptCLI
@testable import PushCryptKeyring
@testable import PushCryptSender

/// The files of a server and the row of a device, all of them sound, for tests of the doctor.
final class DoctorSetup: @unchecked Sendable {
    let tool: Tool
    let now = Date()
    /// The keys of the server: the primary one, and one that is retired.
    let signing: SigningKey
    let root: SigningKey
    let device: Keyring<RecipientPrivateKey>
    private let token = String(repeating: "0a", count: 32)

    init() throws {
        tool = try Tool()
        signing = try SigningKey()
        root = try SigningKey()
        device = Keyring(
            generation: 1,
            primary: .init(key: try RecipientPrivateKey(), created: now, lifetimeSeconds: 604_800))
        try writeKeyring()
        try writeRow()
        try tool.write("\(root.publicKey.jwk)", to: "root.jwk")
        try tool.write(String(repeating: "A", count: 43), to: "secret", mode: 0o600)
    }

    /// Writes the server's keyring, whose primary key is of an age in days.
    func writeKeyring(age: Double = 10, pending: Bool = false) throws {
        var ring = Keyring<SigningKey>(
            generation: 1, primary: .init(key: signing, created: now - age * 86_400))
        if pending { _ = try ring.addPendingKey(dated: now) }
        try write(ring)
    }

    /// Writes a keyring as the server's.
    func write<Key: PrivateKey>(_ ring: Keyring<Key>) throws {
        let json = try ring.exportWithPrivateKeys().withSpan {
            String(decoding: [UInt8](copying: $0), as: UTF8.self)
        }
        try tool.write(json, to: "server.jwks", mode: 0o600)
    }

    /// Writes a list of accepted keys.
    func writeList(
        _ keys: [SigningKey]? = nil, days: Double = 365, audience: String? = nil,
        by signer: SigningKey? = nil
    ) throws {
        let list = try SignerList(
            keys: (keys ?? [signing]).map(\.publicKey), issued: now - 10 * 86_400,
            expiration: now + days * 86_400,
            audience: audience, signedBy: Signer(signer ?? root))
        try tool.write(list.text + "\n", to: "signers.jws")
    }

    /// Returns a row of the device.
    func row(
        accepting signers: [VerificationKey]? = nil, age: Double = 1, isProved: Bool = true
    ) throws -> Recipient {
        let entry = device.primary
        let registration = Registration(
            key: entry.key.publicKey, generation: device.generation, created: entry.created,
            lifetime: 604_800,
            signers: signers.flatMap { AcceptedSigners($0) })
        let date = now - age * 86_400
        return try Recipient(
            registration: registration, deviceToken: token, account: "anna", registered: date,
            proved: isProved ? date : nil)
    }

    func writeRow(_ row: Recipient? = nil) throws {
        let data = try JSONEncoder().encode(row ?? self.row(accepting: [signing.publicKey]))
        try tool.write(String(decoding: data, as: UTF8.self), to: "row.json")
    }

    /// The options for all files.
    static let files = ["--recipient", "row.json", "--challenge-secret", "secret"]
    /// The options for the list.
    static let list = ["--list", "signers.jws", "--root", "root.jwk"]

    /// Returns the report of the doctor.
    ///
    /// A word with a file's suffix is a file of the directory, also after `cat`.
    func report(_ arguments: [String]) throws -> DoctorReport {
        let words = (["--keyring", "server.jwks"] + arguments).map { word in
            if word.hasPrefix("cat ") { return "cat \(tool.path(String(word.dropFirst(4))))" }
            return word == "secret" || word.contains(/^[a-z]+\.(jwks|jwk|json|jws|p8|pem|token)$/)
                ? tool.path(word) : word
        }
        return try DoctorCommand.parse(words).examine()
    }
}
