import Foundation
import PushCryptReceiver
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// The key that signs for each device.
@Suite struct SigningKeyChoiceTests {
    private struct Device: SealTarget {
        let key: RecipientPublicKey
        var lifetime: TimeInterval { 86_400 }
        let signers: AcceptedSigners?
    }

    private let keyring: Keyring<SigningKey>
    private let device: RecipientPrivateKey
    private let json = #"{"aps":{"alert":{"body":"Hello"}}}"#

    init() throws {
        let start = SystemTime().now - 86_400
        var ring = try Keyring<SigningKey>(createdAt: start)
        try ring.rotate(at: start)
        try ring.rotate(at: start)
        try ring.addPendingKey(at: start)
        keyring = ring
        device = try TestKeys.device()
    }

    private func accepting(_ keys: [SigningKey]?) throws -> Device {
        Device(
            key: device.publicKey,
            signers: try keys.map { (keys) throws in
                try AcceptedSigners(kids: keys.map(\.publicKey.kid))
            })
    }

    /// Seals for a device, and returns the key that its opener finds.
    private func signer(for keys: [SigningKey]?, _ authentication: SenderAuthentication? = nil)
        throws -> KeyID?
    {
        let push = try Sealer(authentication ?? .signed(by: keyring)).seal(
            json: json, for: accepting(keys))
        let policy = SenderPolicy.signed(by: keyring.keys.map(\.publicKey))
        return try Opener(keys: InMemoryKeyStore([device]), senderPolicy: policy).open(
            json: push.payload
        ).signer
    }

    @Test("The first key of primary and retired keys that the device accepts signs") func order()
        throws
    {
        let primary = keyring.primary.key
        let (newest, oldest) = (keyring.retired[0].key, keyring.retired[1].key)
        let pending = keyring.pending[0].key
        let stranger = try TestKeys.sender()
        for (accepted, expected) in [
            ([primary], primary), ([oldest, newest, primary], primary),
            ([oldest, newest, pending], newest),
            ([oldest], oldest), ([stranger, oldest], oldest),
        ] {
            #expect(try signer(for: accepted) == expected.publicKey.keyID)
        }
        #expect(
            try signer(for: nil) == primary.publicKey.keyID, "A device that doesn't tell its keys.")
        for accepted in [[pending], [stranger], [stranger, pending]] {
            #expect(
                errorCode {
                    try Sealer(.signed(by: keyring)).seal(json: json, for: accepting(accepted))
                }
                    == .noAcceptedKey)
        }
    }

    @Test("One preparation signs with different keys in turn") func manyDevices() throws {
        let keys = [keyring.primary.key, keyring.retired[1].key, keyring.retired[0].key]
        let devices = try (0..<30).map { try accepting([keys[$0 % 3]]) }
        let prepared = try Sealer(.signed(by: keyring)).prepare(json: json)
        let policy = SenderPolicy.signed(by: keyring.keys.map(\.publicKey))
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: policy)
        for pushes in [
            try prepared.seal(for: devices),
            try prepared.sealOnAllCores(for: devices).map { try $0.get() },
        ] {
            for (index, push) in pushes.enumerated() {
                #expect(
                    try opener.open(json: push.payload).signer == keys[index % 3].publicKey.keyID)
            }
        }
        let withStranger = devices + [try accepting([TestKeys.sender()])]
        let results = prepared.sealOnAllCores(for: withStranger)
        #expect(results.last.map { failure(of: $0) } == .noAcceptedKey)
        #expect(results.dropLast().allSatisfy { (try? $0.get()) != nil })
    }

    private func failure(of result: Result<SealedPush, PushCryptError>) -> PushCryptError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test("A sealer without signers seals nothing") func noSigners() throws {
        #expect(errorCode { try signer(for: nil, .signed(by: [])) } == .noAcceptedKey)
    }

    // MARK: Signing elsewhere

    private struct KeyServiceError: Error {
        let secret = "token 12345"
    }

    @Test("A function signs, and gets the bytes that the format defines") func function() throws {
        let key = try TestKeys.sender()
        let calls = LockedValue(0)
        let function = Signer(publicKey: key.publicKey) { message in
            calls.withLock { $0 += 1 }
            #expect(message.starts(with: Array("pushcrypt/v1/signature\0".utf8)))
            return RawSodium.signature(of: message, seed: Array(TestKeys.Sender.acme.rawValue.utf8))
        }
        let push = try Sealer(.signed(by: [function])).seal(json: json, for: device.publicKey)
        let opener = Opener(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: key.publicKey))
        #expect(try opener.open(json: push.payload).signer == key.publicKey.keyID)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test(
        "A function that throws, or whose signature doesn't fit, is an error without its contents")
    func failingFunction() throws {
        let key = try TestKeys.sender().publicKey
        let wrongSeed = Array(TestKeys.Sender.mallory.rawValue.utf8)
        let functions: [@Sendable ([UInt8]) throws -> [UInt8]] = [
            { _ in throw KeyServiceError() }, { _ in [] },
            { _ in [UInt8](repeating: 0, count: 64) },
            { RawSodium.signature(of: $0, seed: wrongSeed) }, { message in message },
        ]
        for function in functions {
            let sealer = Sealer(.signed(by: [Signer(publicKey: key, sign: function)]))
            let error = thrownError { () throws(PushCryptError) in
                try sealer.seal(json: json, for: device.publicKey)
            }
            #expect(error?.code == .signerFailed)
            #expect(error?.description.contains("12345") == false)
        }
    }
}
