import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct SealedBoxTests {
    let secret = [UInt8](1...32)
    let text = Array("what only the device reads".utf8)

    private func key(_ bytes: [UInt8]) throws -> Bytes32 { try Bytes32(bytes.span) }

    private var ownKey: Bytes32 {
        get throws { try key(RawSodium.publicKey(of: secret)) }
    }

    @Test("A part of one buffer is sealed into a part of another")
    func sealsAPartOfOneBufferIntoAPartOfAnother() throws {
        let source = [9, 9] + text + [9]
        var target = [UInt8](repeating: 7, count: text.count + 48 + 5)
        try SealedBox.seal(
            source.span.extracting(2..<(2 + text.count)), to: ownKey, into: &target, at: 3)
        #expect(target[..<3] == [7, 7, 7] && target.suffix(2) == [7, 7])
        let box = Array(target[3..<(3 + text.count + 48)])
        #expect(RawSodium.open(box, RawSodium.publicKey(of: secret), secret) == (0, text))
    }

    @Test("A box opens into a part of a buffer") func opensIntoAPartOfABuffer() throws {
        let box = RawSodium.seal(text, to: RawSodium.publicKey(of: secret)).box
        var target = [UInt8](repeating: 7, count: text.count + 3)
        try SealedBox.open(
            box.span, with: X25519KeyPair(secret: SecretBytes(secret)), into: &target, at: 2)
        #expect(target == [7, 7] + text + [7])
    }

    @Test("An empty message is sealed and opened") func sealsAndOpensNothing() throws {
        var box = [UInt8](repeating: 7, count: 48)
        try SealedBox.seal([UInt8]().span, to: ownKey, into: &box, at: 0)
        var target: [UInt8] = []
        try SealedBox.open(
            box.span, with: X25519KeyPair(secret: SecretBytes(secret)), into: &target, at: 0)
        #expect(target.isEmpty)
    }

    @Test("A rejected key leaves zeros in the buffer", arguments: Points.fourteenOfSmallOrder)
    func zeroesWhatLibsodiumHasWrittenWhenItRefuses(_ point: [UInt8]) throws {
        var target = [UInt8](repeating: 7, count: text.count + 48 + 2)
        let small = try key(point)
        #expect(
            errorCode { try SealedBox.seal(text.span, to: small, into: &target, at: 1) }
                == .invalidKey)
        #expect(target == [7] + [UInt8](repeating: 0, count: text.count + 48) + [7])
    }

    @Test("A box that does not open leaves the buffer unchanged")
    func aFailedOpenLeavesTheTargetAlone() throws {
        let own = try ownKey
        let box = RawSodium.seal(text, to: own.array).box
        let held = try X25519KeyPair(secret: SecretBytes(secret))
        for bit in stride(from: 0, to: box.count * 8, by: 7) {
            var target = [UInt8](repeating: 7, count: text.count + 2)
            let changed = flipping(bit: bit, of: box)
            #expect(
                errorCode { try SealedBox.open(changed.span, with: held, into: &target, at: 1) }
                    == .decryptionFailed)
            #expect(target.allSatisfy { $0 == 7 })
        }
    }

    @Test("A box that is too short does not open") func tooShortABoxDoesNotOpen() throws {
        let own = try ownKey
        let held = try X25519KeyPair(secret: SecretBytes(secret))
        let box = RawSodium.seal([], to: own.array).box
        for length in 0..<48 {
            var target: [UInt8] = [7]
            let cut = Array(box[..<length])
            #expect(
                errorCode { try SealedBox.open(cut.span, with: held, into: &target, at: 0) }
                    == .decryptionFailed)
            #expect(target == [7])
        }
    }
}
