import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    @Test func newKeysDifferAndAreWhole() throws {
        let devices = try (0..<10).map { _ in try RecipientPrivateKey() }
        let senders = try (0..<10).map { _ in try SigningKey() }
        #expect(Set(devices.map(\.publicKey)).count == 10)
        #expect(Set(senders.map(\.publicKey)).count == 10)
        for key in devices {
            #expect(RawSodium.publicKey(of: key.secret.copy) == key.publicKey.rawRepresentation)
        }
        for key in senders {
            #expect(RawSodium.signingKeyPair(of: key.secret.copy).publicKey == key.publicKey.rawRepresentation)
        }
    }

    @Test(arguments: X25519Tests.vectors)
    func takesASecretKeyOfItsPublicKeyOnly(_ secret: String, _ publicKey: String) throws {
        let held = try SecretBytes(hex(secret))
        let own = try RecipientPublicKey(rawRepresentation: hex(publicKey))
        #expect(try RecipientPrivateKey(secret: held, belongingTo: own).publicKey == own)
        let other = try TestKeys.device().publicKey
        #expect(errorCode { try RecipientPrivateKey(secret: held, belongingTo: other) } == .keyPairMismatch)
    }

    @Test(arguments: Ed25519Tests.vectors)
    func takesASeedOfItsPublicKeyOnly(_ vector: Ed25519Tests.Vector) throws {
        let held = try SecretBytes(hex(vector.seed))
        let own = try VerificationKey(rawRepresentation: hex(vector.key))
        #expect(try SigningKey(secret: held, belongingTo: own).publicKey == own)
        let other = try TestKeys.sender().publicKey
        #expect(errorCode { try SigningKey(secret: held, belongingTo: other) } == .keyPairMismatch)
    }

    @Test(arguments: [0, 1, 2, 255])
    func secretKeysThatDifferInIgnoredBitsAreOneKey(_ bit: Int) throws {
        let secret = Array(TestKeys.Device.alice.rawValue.utf8)
        let own = try TestKeys.device().publicKey
        let other = try SecretBytes(flipping(bit: bit, of: secret))
        #expect(try RecipientPrivateKey(secret: other, belongingTo: own).publicKey == own)
    }

    @Test func descriptionsShowNoSecret() throws {
        let device = try TestKeys.device()
        let sender = try TestKeys.sender()
        #expect(device.description == "private X25519 key \(device.publicKey.keyID)")
        #expect(sender.description == "private Ed25519 key \(sender.publicKey.keyID)")
        for (text, secret) in [("\(device)\(String(reflecting: device))", device.secret), ("\(sender)", sender.secret)]
        {
            #expect(!text.contains(foundationBase64URL(secret.copy)))
            #expect(!text.contains("pushcrypt test key"))
        }
    }

    @Test(arguments: [0, 1, 31])
    func aShortSecretIsAnErrorAndNoReadBeyondIt(_ count: Int) async {
        switch count {
        case 0: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(0) }
        case 1: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(1) }
        default: await #expect(processExitsWith: .success) { try expectRefusalOfSecret(31) }
        }
    }
}

private func expectRefusalOfSecret(_ count: Int) throws {
    let secret = try SecretBytes([UInt8](repeating: 1, count: count))
    #expect(errorCode { try RecipientPrivateKey(secret: secret, belongingTo: nil) } == .invalidKey)
    #expect(errorCode { try SigningKey(secret: secret, belongingTo: nil) } == .invalidKey)
}
