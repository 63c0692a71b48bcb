import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    @Test("New keys differ and are complete") func newKeysDifferAndAreWhole() throws {
        let devices = try (0..<10).map { _ in try RecipientPrivateKey() }
        let senders = try (0..<10).map { _ in try SigningKey() }
        #expect(Set(devices.map(\.publicKey)).count == 10)
        #expect(Set(senders.map(\.publicKey)).count == 10)
        for key in devices {
            #expect(RawSodium.publicKey(of: key.secret.copy) == key.publicKey.rawRepresentation)
        }
        for key in senders {
            #expect(
                RawSodium.signingKeyPair(of: key.secret.copy).publicKey
                    == key.publicKey.rawRepresentation)
        }
    }

    @Test("A secret key is accepted with its public key only", arguments: X25519Tests.vectors)
    func takesASecretKeyOfItsPublicKeyOnly(_ secret: String, _ publicKey: String) throws {
        let own = try RecipientPublicKey(rawRepresentation: hex(publicKey))
        #expect(try RecipientPrivateKey(secret: SecretBytes(hex(secret))).publicKey == own)
        let jwk = JWKText.device().with("d", "\"\(foundationBase64URL(hex(secret)))\"")
        let pair = jwk.with("x", "\"\(foundationBase64URL(hex(publicKey)))\"")
        #expect(try RecipientPrivateKey(jwk: Array(pair.text.utf8)).publicKey == own)
        #expect(
            errorCode { try RecipientPrivateKey(jwk: Array(jwk.text.utf8)) } == .keyPairMismatch)
    }

    @Test("A seed is accepted with its public key only", arguments: Ed25519Tests.vectors)
    func takesASeedOfItsPublicKeyOnly(_ vector: Ed25519Tests.Vector) throws {
        let own = try VerificationKey(rawRepresentation: hex(vector.key))
        #expect(try SigningKey(secret: SecretBytes(hex(vector.seed))).publicKey == own)
        let jwk = JWKText.sender().with("d", "\"\(foundationBase64URL(hex(vector.seed)))\"")
        let pair = jwk.with("x", "\"\(foundationBase64URL(hex(vector.key)))\"")
        #expect(try SigningKey(jwk: Array(pair.text.utf8)).publicKey == own)
        #expect(errorCode { try SigningKey(jwk: Array(jwk.text.utf8)) } == .keyPairMismatch)
    }

    @Test("Secret keys that differ in ignored bits are the same key", arguments: [0, 1, 2, 255])
    func secretKeysThatDifferInIgnoredBitsAreOneKey(_ bit: Int) throws {
        let secret = Array(TestKeys.Device.alice.rawValue.utf8)
        let own = try TestKeys.device().publicKey
        let other = JWKText.device().with(
            "d", "\"\(foundationBase64URL(flipping(bit: bit, of: secret)))\"")
        #expect(try RecipientPrivateKey(jwk: Array(other.text.utf8)).publicKey == own)
    }

    @Test("Descriptions contain no secret") func descriptionsShowNoSecret() throws {
        let device = try TestKeys.device()
        let sender = try TestKeys.sender()
        #expect(device.description == "private X25519 key \(device.publicKey.keyID)")
        #expect(sender.description == "private Ed25519 key \(sender.publicKey.keyID)")
        for (text, secret) in [
            ("\(device)\(String(reflecting: device))", device.secret), ("\(sender)", sender.secret),
        ] {
            #expect(!text.contains(foundationBase64URL(secret.copy)))
            #expect(!text.contains("pushcrypt test key"))
        }
    }

    @Test("A key type of another module is rejected") func aKeyTypeOfAnotherModuleIsRefused() throws
    {
        let jwk = Array(JWKText.device().text.utf8)
        #expect(errorCode { try ForeignKey(JWK(parsing: jwk.span)) } == .wrongKeyType)
        #expect(errorCode { try ForeignKey().secretBytes() } == .wrongKeyType)
        #expect(
            try TestKeys.device().secretBytes().copy == Array(TestKeys.Device.alice.rawValue.utf8))
    }

    @Test("A short secret is rejected without reading beyond it", arguments: [0, 1, 31])
    func aShortSecretIsAnErrorAndNoReadBeyondIt(_ count: Int) async {
        switch count {
        case 0: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(0) }
        case 1: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(1) }
        default: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(31) }
        }
    }
}

/// A key that isn't a key of this package.
private struct ForeignKey: PrivateKey {
    let publicKey: RecipientPublicKey

    init() throws(PushCryptError) { publicKey = try TestKeys.device().publicKey }
    init(jwk: [UInt8]) throws(PushCryptError) { try self.init() }
    var description: String { "foreign key" }
}

private func expectRefusalOfSecret(_ count: Int) throws {
    let secret = try SecretBytes([UInt8](repeating: 1, count: count))
    #expect(errorCode { try RecipientPrivateKey(secret: secret) } == .invalidKey)
    #expect(errorCode { try SigningKey(secret: secret) } == .invalidKey)
}
