import Foundation
import PushCryptSystem
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

/// Opening messages, and the code of each failure.
@Suite struct OpenerTests {
    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let payload = Array(#"{"aps":{"alert":"secret text"}}"#.utf8)

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
    }

    private func opener(senderPolicy: SenderPolicy? = nil) -> Opener {
        Opener(
            keys: InMemoryKeyStore([device]),
            senderPolicy: senderPolicy ?? .signed(by: [server.publicKey]))
    }

    private func code(_ body: () throws -> Void) -> PushCryptError.Code? {
        do {
            try body()
            return nil
        } catch {
            #expect(!"\(error)".contains("secret text"))
            return (error as? PushCryptError)?.code
        }
    }

    @Test("A signed message opens and names its signer") func signedMessageOpensAndNamesItsSigner()
        throws
    {
        let push = try Sealer(.signed(by: server)).seal(json: payload, for: device.publicKey)
        let opened = try opener().open(json: push.payload)
        #expect(opened.signer == server.publicKey.keyID)
        #expect(opened.data == Data(payload))
        #expect(abs(opened.issuedAt.timeIntervalSinceNow) < 60)
    }

    @Test("The policy anyone doesn't name a signer") func policyAnyoneDoesntNameASigner() throws {
        let push = try Sealer(.signed(by: server)).seal(json: payload, for: device.publicKey)
        #expect(try opener(senderPolicy: .anyone).open(json: push.payload).signer == nil)
    }

    @Test("A message for another device has an unknown key")
    func messageForAnotherDeviceHasAnUnknownKey() throws {
        let push = try Sealer(.signed(by: server)).seal(
            json: payload, for: TestKeys.device(.bob).publicKey)
        #expect(code { _ = try opener().open(json: push.payload) } == .unknownKey)
    }

    @Test("An unsigned message is rejected if signatures are required")
    func unsignedMessageIsRejectedIfSignaturesAreRequired() throws {
        let push = try Sealer(.anonymous).seal(json: payload, for: device.publicKey)
        #expect(code { _ = try opener().open(json: push.payload) } == .unsigned)
    }

    @Test("A message of an unknown signer is rejected") func messageOfAnUnknownSignerIsRejected()
        throws
    {
        let push = try Sealer(.signed(by: TestKeys.sender(.mallory))).seal(
            json: payload, for: device.publicKey)
        #expect(code { _ = try opener().open(json: push.payload) } == .unknownSigner)
        #expect(
            code { _ = try opener(senderPolicy: .signed(by: [])).open(json: push.payload) }
                == .unknownSigner)
    }

    @Test("A policy may accept several senders") func policyMayAcceptSeveralSenders() throws {
        let mallory = try TestKeys.sender(.mallory)
        let push = try Sealer(.signed(by: mallory)).seal(json: payload, for: device.publicKey)
        let both = opener(senderPolicy: .signed(by: [server.publicKey, mallory.publicKey]))
        #expect(try both.open(json: push.payload).signer == mallory.publicKey.keyID)
    }

    @Test("A payload without ENCRYPTED_DATA isn't sealed")
    func payloadWithoutENCRYPTEDDATAIsntSealed() throws {
        #expect(code { _ = try opener().open(json: payload) } == .notSealed)
        #expect(code { _ = try opener().open(userInfo: ["aps": ["alert": "x"]]) } == .notSealed)
        #expect(code { _ = try opener().open(userInfo: [:]) } == .notSealed)
    }

    @Test(
        "A value that isn't a string isn't an envelope",
        arguments: ["1", "null", "{}", "[]", "true"])
    func valueThatIsntAStringIsntAnEnvelope(value: String) throws {
        #expect(
            code { _ = try opener().open(json: Array(#"{"ENCRYPTED_DATA":\#(value)}"#.utf8)) }
                == .malformedEnvelope)
    }

    @Test("A system's dictionary opens") func systemsDictionaryOpens() throws {
        let push = try Sealer(.signed(by: server)).seal(json: payload, for: device.publicKey)
        let object = try JSONSerialization.jsonObject(with: push.data)
        let userInfo = try #require(object as? [String: Any])
        #expect(try opener().open(userInfo: userInfo).payload == payload)
        #expect(
            code { _ = try opener().open(userInfo: ["ENCRYPTED_DATA": 7]) } == .malformedEnvelope)
    }

    @Test("A value with escapes opens") func valueWithEscapesOpens() throws {
        let push = try Sealer(.signed(by: server)).seal(json: payload, for: device.publicKey)
        let text = String(decoding: push.payload, as: UTF8.self)
        let escaped = text.replacingOccurrences(
            of: #""ENCRYPTED_DATA":"A"#, with: #""ENCRYPTED_DATA":"\u0041"#)
        #expect(escaped != text)
        #expect(try opener().open(json: Array(escaped.utf8)).payload == payload)
    }

    @Test("JSON may be data, a string or bytes") func jsonMayBeDataAStringOrBytes() throws {
        let push = try Sealer(.signed(by: server)).seal(json: Data(payload), for: device.publicKey)
        let text = String(decoding: push.payload, as: UTF8.self)
        #expect(try opener().open(json: push.data).payload == payload)
        #expect(try opener().open(json: text.utf8).payload == payload)
        #expect(
            try opener().open(SealedValue(json: push.payload, from: .apns), as: [.notification])
                .payload == payload)
        #expect(try JSONValue(parsing: push.data) == JSONValue(parsing: push.payload))
        #expect(
            try DeliveredNotification(json: text.utf8).content
                == DeliveredNotification(json: push.data).content)
    }

    @Test("A newer version is unsupported") func newerVersionIsUnsupported() throws {
        let json =
            #"{"ENCRYPTED_DATA":"\#(Base64URL.encode([2] + [UInt8](repeating: 0, count: 100)))"}"#
        #expect(code { _ = try opener().open(json: Array(json.utf8)) } == .unsupportedVersion)
    }

    @Test("The store is asked once for the envelope's key ID")
    func storeIsAskedOnceForTheEnvelopesKeyID() throws {
        let push = try Sealer(.anonymous).seal(json: payload, for: device.publicKey)
        let asked = LockedValue<[KeyID]>([])
        struct Store: KeyStore {
            let key: RecipientPrivateKey
            let asked: LockedValue<[KeyID]>
            func signerLists() throws -> [String] { [] }

            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
                asked.withLock { $0.append(id) }
                return key
            }
        }
        // The store returns another key than the requested one.
        let wrong = Opener(
            keys: Store(key: try TestKeys.device(.bob), asked: asked), senderPolicy: .anyone)
        #expect(code { _ = try wrong.open(json: push.payload) } == .unknownKey)
        #expect(asked.withLock { $0 } == [device.publicKey.keyID])
    }
}
