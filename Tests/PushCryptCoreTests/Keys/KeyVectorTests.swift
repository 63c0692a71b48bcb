import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The language-neutral vectors of keys, from another implementation (`Tests/Vectors/generate.py`).
@Suite struct KeyVectorTests {
    @Test("The shared vectors are reproduced", arguments: try KeyCorpus.load().vectors)
    func vector(_ vector: KeyVector) throws {
        switch vector.kind {
        case .recipientPublic: try expect(vector) { try readPublic($0, RecipientPublicKey.self) }
        case .verification: try expect(vector) { try readPublic($0, VerificationKey.self) }
        case .recipientPrivate:
            try expect(vector) { try RecipientPrivateKey(jwk: Array($0.utf8)).publicKey }
        case .signing: try expect(vector) { try SigningKey(jwk: Array($0.utf8)).publicKey }
        }
    }

    @Test("The test keys are the keys of the vectors") func testKeysAreTheCorpusKeys() throws {
        let corpus = try KeyCorpus.load()
        for device in TestKeys.Device.allCases {
            try expect(corpus.key("\(device)"), TestKeys.device(device), device.rawValue)
        }
        for sender in TestKeys.Sender.allCases {
            try expect(corpus.key("\(sender)"), TestKeys.sender(sender), sender.rawValue)
        }
    }

    // MARK: Checks

    private func readPublic<Key: PublicKey>(_ text: String, _: Key.Type) throws -> Key {
        let key = try Key(parsing: text)
        // Each side reads the keys of the other side.
        #expect(try Key(parsing: key.jwk) == key)
        return key
    }

    private func expect(_ vector: KeyVector, _ read: (String) throws -> some PublicKey) throws {
        do {
            let key = try read(vector.text)
            #expect(vector.fails == nil, "It is accepted.")
            #expect(key.kid == vector.thumbprint)
            #expect(key.keyID.description == vector.keyID)
        } catch let error as PushCryptError {
            #expect(error.code.rawValue == vector.fails, "\(error)")
        }
    }

    private func expect(_ described: KeyCorpus.Key, _ key: some PrivateKey, _ secret: String) throws
    {
        #expect(described.privateKey == hexadecimal(secret.utf8))
        #expect(described.publicKey == hexadecimal(key.publicKey.rawRepresentation))
        #expect(described.thumbprint == key.publicKey.kid)
        #expect(described.keyID == key.publicKey.keyID.description)
        #expect(described.publicJWK["kid"] == described.thumbprint)
        #expect(described.privateJWK["kid"] == described.thumbprint)
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// `Tests/Vectors/keys.json`.
struct KeyCorpus: Decodable {
    struct Key: Decodable {
        let privateKey: String
        let publicKey: String
        let thumbprint: String
        let keyID: String
        let publicJWK: [String: String]
        let privateJWK: [String: String]

        private enum CodingKeys: String, CodingKey {
            case privateKey = "private"
            case publicKey = "public"
            case thumbprint
            case keyID = "key_id"
            case publicJWK = "public_jwk"
            case privateJWK = "private_jwk"
        }
    }

    let keys: [String: Key]
    let vectors: [KeyVector]

    /// Reads the file; a missing, malformed, short or doubled file fails the test.
    static func load() throws -> KeyCorpus { try shared.get() }

    private static let shared = Result {
        try VectorFile.load("keys.json", minimum: ["vectors": 153], as: KeyCorpus.self)
    }

    func key(_ name: String) throws -> Key {
        try #require(keys[name], "The corpus has no key \(name).")
    }
}

/// A vector; `Tests/Vectors/README.md` documents its members.
struct KeyVector: Decodable, Sendable, CustomTestStringConvertible {
    enum Kind: String, Decodable {
        case recipientPublic = "recipient-public"
        case recipientPrivate = "recipient-private"
        case verification, signing
    }

    let name: String
    let kind: Kind
    let text: String
    let fails: String?
    let thumbprint: String?
    let keyID: String?

    private enum CodingKeys: String, CodingKey {
        case name, kind, text, fails, thumbprint
        case keyID = "key_id"
    }

    var testDescription: String { name }
}
