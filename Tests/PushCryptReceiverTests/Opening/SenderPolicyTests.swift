import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Policies with keys as text.
@Suite struct SenderPolicyTests {
    private let device: RecipientPrivateKey
    private let server: SigningKey
    private let payload = Array(#"{"aps":{"alert":"secret text"}}"#.utf8)

    init() throws {
        device = try TestKeys.device()
        server = try TestKeys.sender()
    }

    /// Returns the error of a receiver with a policy; `nil` if the message opens.
    private func refusal(_ policy: SenderPolicy, of sender: SigningKey? = nil) throws
        -> PushCryptError?
    {
        let push = try Sealer(sender.map { .signed(by: $0) } ?? .anonymous).seal(
            json: payload, for: device.publicKey)
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: policy)
        return thrownError { try opener.open(json: push.payload) }
    }

    private func raw(_ key: SigningKey) -> String {
        Base64URL.encode(key.publicKey.rawRepresentation)
    }

    @Test("A key can be a JWK or raw") func keyCanBeAJWKOrRaw() throws {
        for text in [server.publicKey.jwk, raw(server), " \n\(server.publicKey.jwk)\n"] {
            #expect(try refusal(.signed(by: text), of: server) == nil)
            #expect(
                try refusal(.signed(by: text), of: TestKeys.sender(.mallory))?.code
                    == .unknownSigner)
            #expect(try refusal(.signed(by: text))?.code == .unsigned)
        }
    }

    @Test("Each of several keys is accepted") func eachOfSeveralKeysIsAccepted() throws {
        let other = try TestKeys.sender(.mallory)
        for policy in [
            SenderPolicy.signed(by: server.publicKey.jwk, raw(other)),
            .signed(by: [raw(other), server.publicKey.jwk, raw(server)]),
        ] {
            #expect(try refusal(policy, of: server) == nil)
            #expect(try refusal(policy, of: other) == nil)
            #expect(try refusal(policy)?.code == .unsigned)
        }
    }

    @Test("One invalid key makes the list unusable", arguments: [0, 1, 2])
    func oneInvalidKeyMakesTheListUnusable(
        place: Int
    ) throws {
        for (wrong, code) in [
            ("", PushCryptError.Code.malformedJWK), ("secret words", .malformedJWK),
            ("{", .malformedJWK),
            (String(repeating: "A", count: 42), .malformedJWK),
            (String(repeating: "A", count: 43), .invalidKey),
            (try TestKeys.device().publicKey.jwk, .wrongKeyType),
        ] {
            var keys = [server.publicKey.jwk, raw(server)]
            keys.insert(wrong, at: place)
            let policy = SenderPolicy.signed(by: keys)
            let error = try #require(try refusal(policy))
            #expect(error.code == code, "\(wrong)")
            #expect(error.reason.hasPrefix("The list of accepted keys can't be read. "))
            #expect(wrong.count < 2 || !error.description.contains(wrong), "The text isn't quoted.")
            for sender in [server, nil] { #expect(try refusal(policy, of: sender) == error) }
        }
    }

    @Test("The policy checks the signature, not only the signer's ID")
    func policyChecksTheSignature() throws {
        let message = RawMessage(authentication: 1, signer: .acme)
        let policy = SenderPolicy.signed(by: server.publicKey)
        func check(_ bytes: [UInt8]) throws(PushCryptError) -> KeyID? {
            try policy.check(
                IncomingMessage(opening: RawMessage.envelope(bytes), with: device),
                keys: InMemoryKeyStore([device]))
        }
        #expect(try check(message.bytes()) == server.publicKey.keyID)
        let seed = Array(TestKeys.Sender.mallory.rawValue.utf8)
        let forged = RawSodium.signature(
            of: RawMessage.signedContext(of: .alice) + message.unsignedBytes, seed: seed)
        for signature in [forged, [UInt8](repeating: 0, count: 64)] {
            #expect(errorCode { try check(message.unsignedBytes + signature) } == .invalidSignature)
        }
    }

    @Test("An empty list rejects all senders") func emptyListRejectsAllSenders() throws {
        for policy in [SenderPolicy.signed(by: [VerificationKey]()), .signed(by: [String]())] {
            #expect(try refusal(policy, of: server)?.code == .unknownSigner)
            #expect(try refusal(policy)?.code == .unsigned)
        }
    }

    @Test("An invalid policy states why and opens nothing")
    func invalidPolicyStatesWhyAndOpensNothing() throws {
        let policy = SenderPolicy.invalid(PushCryptError(.fileNotFound, "There is no list."))
        #expect(try refusal(policy, of: server)?.description == "file-not-found: There is no list.")
        #expect(try refusal(policy)?.code == .fileNotFound)
        // The fallback is displayed, with the reason.
        let push = try Sealer(.signed(by: server)).seal(json: payload, for: device.publicKey)
        let inbox = PushInbox(
            PushConfiguration(keys: InMemoryKeyStore([device]), senderPolicy: policy))
        let shown = inbox.open(try DeliveredNotification(json: push.payload))
        #expect(shown.content.body == "(Encrypted)" && shown.outcome.failure?.code == .fileNotFound)
    }
}
