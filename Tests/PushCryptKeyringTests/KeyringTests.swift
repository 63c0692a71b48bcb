import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@Suite struct KeyringTests {
    let start = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("A new keyring has one key and generation 1") func beginsWithOneKeyAtGenerationOne()
        throws
    {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: start)
        #expect(ring.generation == 1)
        #expect(ring.primary.created == start)
        #expect(ring.pending.isEmpty && ring.retired.isEmpty)
        #expect(ring.keys.map(\.publicKey) == [ring.primary.key.publicKey])
    }

    @Test("A rotation creates a key and retires the old one")
    func rotationMakesANewKeyAndRetiresTheOld() throws {
        var ring = try Keyring<SigningKey>(createdAt: start)
        var primaries = [ring.primary.key.publicKey]
        for round in 1...5 {
            let now = start + Double(round) * 1_000
            let previous = ring.primary
            try ring.rotate(at: now)
            #expect(ring.generation == UInt64(round + 1))
            #expect(ring.primary.created == now)
            #expect(ring.retired.count == round)
            #expect(ring.retired[0].key.publicKey == previous.key.publicKey)
            #expect(ring.retired[0].created == previous.created && ring.retired[0].retired == now)
            primaries.append(ring.primary.key.publicKey)
        }
        #expect(Set(primaries).count == 6)
        #expect(
            ring.keys.map(\.publicKey) == primaries.reversed(),
            "The primary first, then the newest.")
    }

    @Test("Keys are found by id in every state") func findsKeysInEveryState() throws {
        let text = RingText(keys: [
            RingText.entry(.device(.alice), "pending"), RingText.entry(.device(.bob), "primary"),
        ]).text
        var ring = try Keyring<RecipientPrivateKey>(parsing: Array(text.utf8).span)
        try ring.rotate(at: start)
        #expect(ring.keys.count == 3)
        for key in ring.keys {
            #expect(try ring.key(for: key.publicKey.keyID).publicKey == key.publicKey)
        }
        let stranger = try RecipientPrivateKey().publicKey.keyID
        #expect(errorCode { try ring.key(for: stranger) } == .unknownKey)
    }

    @Test("A copy does not change with the original") func aCopyDoesNotChangeWithTheOriginal()
        throws
    {
        var ring = try Keyring<SigningKey>(createdAt: start)
        let copy = ring
        try ring.rotate(at: start)
        #expect(copy.generation == 1 && copy.keys.count == 1)
    }

    @Test("The maximum generation is parsed and not exceeded")
    func theLargestGenerationIsReadAndNotOutgrown() throws {
        let text = RingText(
            generation: "\((1 << 53) - 1)", keys: [RingText.entry(.device(), "primary")]
        ).text
        var ring = try Keyring<RecipientPrivateKey>(parsing: Array(text.utf8).span)
        #expect(errorCode { try ring.rotate(at: start) } == .malformedKeyring)
        #expect(ring.keys.count == 1)
    }

    @Test("A keyring that is created before 1970 can be parsed")
    func aClockBefore1970MakesNoKeyringThatCannotBeRead()
        throws
    {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date(timeIntervalSince1970: -5))
        let written = try ring.exportWithPrivateKeys().copy
        #expect(errorCode { try Keyring<RecipientPrivateKey>(parsing: written.span) } == nil)
    }
}
