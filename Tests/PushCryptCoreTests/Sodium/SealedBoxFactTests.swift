import Clibsodium
import TestSupport
import Testing

/// The behavior of sealed boxes in libsodium 1.0.18, which the checks of this package rely on.
@Suite struct SealedBoxFactTests {
    let secret = [UInt8](1...32)
    let text = Array("sealed boxes are anonymous".utf8)
    var key: [UInt8] { RawSodium.publicKey(of: secret) }

    @Test(
        "libsodium writes 32 bytes before it rejects a point of small order",
        arguments: Points.fourteenOfSmallOrder)
    func sealingToASmallOrderPointFailsButHasWritten(_ point: [UInt8]) {
        let (status, box) = RawSodium.seal(text, to: point)
        #expect(status == -1)
        #expect(
            box[..<32] != [UInt8](repeating: 0xAA, count: 32)[...],
            "32 bytes are written before the failure.")
        #expect(box[32...].allSatisfy { $0 == 0xAA }, "No bytes after them are written.")
    }

    @Test("There are fourteen encodings of small order") func thereAreFourteenSmallOrderEncodings()
    {
        #expect(Set(Points.fourteenOfSmallOrder).count == 14)
    }

    @Test("libsodium accepts keys that are not canonical")
    func numbersFromThePrimeOnAreAcceptedUnlessOfSmallOrder() {
        let statuses = Points.nineteenNotCanonical.map { RawSodium.seal(text, to: $0).status }
        #expect(statuses == [-1, -1] + [Int32](repeating: 0, count: 17))
    }

    @Test("libsodium seals to a key with the top bit, and its owner cannot open the box")
    func aKeyWithTheTopBitSetSealsAndItsOwnerCannotOpen() {
        let (status, box) = RawSodium.seal(text, to: Points.withTopBit(key))
        #expect(status == 0)
        #expect(RawSodium.open(box, key, secret).status == -1)
    }

    @Test("libsodium corrupts a text that is sealed in place, and reports success")
    func sealingInPlaceReportsSuccessAndCorrupts() {
        var buffer = text + [UInt8](repeating: 0, count: 48)
        let count = UInt64(text.count)
        let status = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int32(-2) }
            return unsafe crypto_box_seal(start, start, count, key)
        }
        #expect(status == 0)
        let opened = RawSodium.open(buffer, key, secret)
        #expect(opened.status == 0, "The box is authentic, so the corruption is not detected.")
        #expect(opened.message != text)
    }

    @Test("libsodium writes nothing if a box does not open") func aFailedOpenLeavesTheOutputAlone()
    {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, secret) == (0, text))
        let untouched = [UInt8](repeating: 0xAA, count: text.count)
        for bit in 0..<(box.count * 8) {
            #expect(
                RawSodium.open(flipping(bit: bit, of: box), key, secret) == (-1, untouched),
                "bit \(bit)")
        }
    }

    @Test("libsodium opens no truncated box") func noTruncationOpens() {
        let box = RawSodium.seal(text, to: key).box
        for length in 0..<box.count {
            let (status, message) = RawSodium.open(Array(box[..<length]), key, secret)
            #expect(status == -1, "\(length) bytes")
            #expect(message.allSatisfy { $0 == 0xAA }, "\(length) bytes")
        }
    }

    @Test("libsodium ignores the clamped bits of a secret key", arguments: [0, 1, 2, 255])
    func bitsThatClampingIgnoresDoNotMatter(_ bit: Int) {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, flipping(bit: bit, of: secret)) == (0, text))
    }

    @Test("libsodium uses the other bits of a secret key") func otherBitsOfASecretKeyDoMatter() {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, flipping(bit: 3, of: secret)).status == -1)
    }
}
