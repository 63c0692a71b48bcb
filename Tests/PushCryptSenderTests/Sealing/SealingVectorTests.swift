import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The language-neutral vectors of sealing, from another implementation
/// (`Tests/Vectors/generate.py`).
///
/// The sealer always takes new randomness. Ephemeral key, message id and signature are compared by
/// opening.
@Suite struct SealingVectorTests {
    @Test(
        "Each vector is sealed or refused as expected", arguments: try SealingCorpus.load().vectors)
    func sealed(_ vector: SealingVector) throws {
        let corpus = try SealingCorpus.load()
        do {
            let push = try seal(vector, corpus)
            let expected = try #require(vector.seals, "It is sealed.")
            let ours = try parts(of: String(decoding: push.payload, as: UTF8.self))
            let theirs = try parts(of: expected.payload)
            #expect(ours.visible == theirs.visible)
            try #require(
                ours.texts.count == theirs.texts.count
                    && theirs.texts.count == expected.messages.count)
            let signature = vector.sender == nil ? 0 : 64
            var headers = expected.headers
            for (text, message) in zip(ours.texts, expected.messages) {
                let bytes = try open(text)
                let expected = try decoded(message.message)
                #expect(bytes.count == expected.count)
                #expect(bytes.prefix(16) == expected.prefix(16))
                #expect(
                    bytes.dropFirst(32).dropLast(signature)
                        == expected.dropFirst(32).dropLast(signature))
                // The message that gives the vector its ID gives the push its ID, too.
                if RawMessage.apnsID(of: expected[16..<32]) == headers["apns-id"] {
                    headers["apns-id"] = RawMessage.apnsID(of: bytes[16..<32])
                }
            }
            #expect(
                Dictionary(uniqueKeysWithValues: push.headers.fields.map { ($0.name, $0.value) })
                    == headers)
        } catch let error as PushCryptError {
            #expect(error.code.rawValue == vector.fails, "\(error)")
            // A much larger excess is that of the visible part, which another advice is for.
            if let excess = vector.excess, excess < vector.payload.utf8.count {
                #expect(error.reason.contains("by at least \(excess) bytes"), "\(error)")
            }
        }
    }

    @Test(
        "Each envelope of the vectors opens",
        arguments: try SealingCorpus.load().vectors.filter { $0.seals != nil })
    func opened(_ vector: SealingVector) throws {
        let corpus = try SealingCorpus.load()
        let seals = try #require(vector.seals)
        let texts = try parts(of: seals.payload).texts
        let policy = try vector.sender.map {
            SenderPolicy.signed(by: try SigningKey(jwk: corpus.jwk($0)).publicKey)
        }
        let devices = try ["alice", "bob"].map { try RecipientPrivateKey(jwk: corpus.jwk($0)) }
        let now = Date(timeIntervalSince1970: Double(vector.now ?? corpus.now) / 1000)
        let opener = Opener(
            keys: InMemoryKeyStore(devices), senderPolicy: policy ?? .anyone, time: TestClock(now))
        for (index, text) in texts.enumerated() {
            let message = try decoded(seals.messages[index].message)
            #expect(try open(text) == message)
            let secret = try decoded((vector.ephemeralSecrets ?? corpus.ephemeralSecrets)[index])
            #expect(try decoded(text)[9..<41] == RawSodium.publicKey(of: secret)[...])
            let kind = try #require(
                MessageKind.all.first { $0.description == seals.messages[index].kind })
            let push = try opener.open(json: #"{"ENCRYPTED_DATA":"\#(text)"}"#.utf8, as: [kind])
            #expect(push.payload[...] == message.dropFirst(32).prefix(push.payload.count))
            #expect(push.messageID.description == (vector.messageIDs ?? corpus.messageIDs)[index])
            #expect(push.issuedAt == now && (push.signer == nil) == (vector.sender == nil))
        }
    }

    // MARK: Steps

    private func seal(_ vector: SealingVector, _ corpus: SealingCorpus) throws -> SealedPush {
        let sealer = try corpus.sealer(for: vector)
        let (json, headers) = (Array(vector.payload.utf8), try vector.headers)
        let kind = try vector.kind.map { name in
            try #require(MessageKind.all.first { $0.description == name })
        }
        guard vector.to.contains(#""key":"#) else {
            return try sealer.seal(
                json: json, for: RecipientPublicKey(parsing: vector.to), headers: headers, as: kind)
        }
        return try sealer.seal(
            json: json, for: Registration(parsing: vector.to), headers: headers, as: kind)
    }

    /// Returns the texts of `ENCRYPTED_DATA`, and the payload with the length of each in its place.
    private func parts(of payload: String) throws -> (visible: String, texts: [String]) {
        var visible = ""
        var texts: [String] = []
        for (index, part) in payload.components(separatedBy: #""ENCRYPTED_DATA":""#).enumerated() {
            guard index > 0 else {
                visible = part
                continue
            }
            let end = try #require(part.firstIndex(of: "\""))
            texts.append(String(part[..<end]))
            visible += "<\(part[..<end].utf8.count)>\(part[end...])"
        }
        return (visible, texts)
    }

    /// Returns the message in an envelope, by libsodium alone.
    private func open(_ text: String) throws -> [UInt8] {
        let envelope = try decoded(text)
        let device = try #require(
            TestKeys.Device.allCases.first { envelope.starts(with: RawMessage.header(for: $0)) })
        let opened = RawSodium.open(
            Array(envelope.dropFirst(9)), RawMessage.publicKey(of: device),
            Array(device.rawValue.utf8))
        #expect(opened.status == 0)
        return opened.message
    }

    /// Returns the bytes of base64url.
    private func decoded(_ text: String) throws -> [UInt8] {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: base64 + padding)))
    }
}
