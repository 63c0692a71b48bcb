import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyringWritingTests {
    @Test("A keyring is written in its documented format") func writesWhatTheDesignSays() throws {
        let text = RingText(keys: [
            RingText.entry(.device(.alice), "primary"),
            RingText.entry(.device(.bob), "retired", retired: "1700000100"),
        ]).text
        let ring = try Keyring<RecipientPrivateKey>(parsing: Array(text.utf8).span)
        let written = try ring.exportWithPrivateKeys().copy
        let alice = JWKText.device(.alice).text.dropLast().split(separator: ",\"d\":", maxSplits: 1)
        let bob = JWKText.device(.bob).text.dropLast().split(separator: ",\"d\":", maxSplits: 1)
        let expected = """
            {"generation":7,"keys":[
            \(alice[0]),"created":1700000000,"state":"primary","d":\(alice[1])},
            \(bob[0]),"created":1700000000,"retired":1700000100,"state":"retired","d":\(bob[1])}
            ]}

            """
        #expect(String(decoding: written, as: UTF8.self) == expected)
    }

    @Test("A written keyring parses to the same keyring") func isReadBackAsItWas() throws {
        var ring = try Keyring<SigningKey>(createdAt: Date(timeIntervalSince1970: 1_700_000_000.75))
        for round in 1...4 {
            try ring.rotate(at: Date(timeIntervalSince1970: 1_700_000_000.25 + Double(round)))
        }
        let written = try ring.exportWithPrivateKeys()
        let read = try written.withSpan { (bytes) throws(PushCryptError) in
            try Keyring<SigningKey>(parsing: bytes)
        }
        #expect(read.generation == 5)
        #expect(read.keys.map(\.publicKey) == ring.keys.map(\.publicKey))
        #expect(zip(read.keys, ring.keys).allSatisfy { $0.secret.isEqual(to: $1.secret) })
        #expect(
            read.retired.map(\.retired.timeIntervalSince1970)
                == [4, 3, 2, 1].map { 1_700_000_000 + $0 },
            "To the second.")
        #expect(
            try read.exportWithPrivateKeys().isEqual(to: written), "Written again, it is the same.")
    }

    @Test("Pending keys are written and parsed") func pendingKeysAreKept() throws {
        let text = RingText(keys: [
            RingText.entry(.device(.bob), "pending"), RingText.entry(.device(.alice), "primary"),
        ]).text
        let ring = try Keyring<RecipientPrivateKey>(parsing: Array(text.utf8).span)
        let again = try ring.exportWithPrivateKeys().withSpan { (bytes) throws(PushCryptError) in
            try Keyring<RecipientPrivateKey>(parsing: bytes)
        }
        #expect(again.pending.map(\.key.publicKey) == [try TestKeys.device(.bob).publicKey])
        #expect(again.pending[0].created == Date(timeIntervalSince1970: 1_700_000_000))
    }
}
