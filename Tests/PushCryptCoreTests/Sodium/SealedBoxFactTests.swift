import TestSupport
import Testing

#if canImport(Darwin)
import Clibsodium
#else
import CSodium
#endif

/// What libsodium 1.0.18 does with sealed boxes, by which our own checks are made.
@Suite struct SealedBoxFactTests {
    let secret = [UInt8](1...32)
    let text = Array("sealed boxes are anonymous".utf8)
    var key: [UInt8] { RawSodium.publicKey(of: secret) }

    @Test(arguments: Points.fourteenOfSmallOrder)
    func sealingToASmallOrderPointFailsButHasWritten(_ point: [UInt8]) {
        let (status, box) = RawSodium.seal(text, to: point)
        #expect(status == -1)
        #expect(box[..<32] != [UInt8](repeating: 0xAA, count: 32)[...], "32 bytes are written by then.")
        #expect(box[32...].allSatisfy { $0 == 0xAA }, "Nothing behind them is.")
    }

    @Test func thereAreFourteenSmallOrderEncodings() {
        #expect(Set(Points.fourteenOfSmallOrder).count == 14)
    }

    @Test func numbersFromThePrimeOnAreAcceptedUnlessOfSmallOrder() {
        let statuses = Points.nineteenNotCanonical.map { RawSodium.seal(text, to: $0).status }
        #expect(statuses == [-1, -1] + [Int32](repeating: 0, count: 17))
    }

    @Test func aKeyWithTheTopBitSetSealsAndItsOwnerCannotOpen() {
        let (status, box) = RawSodium.seal(text, to: Points.withTopBit(key))
        #expect(status == 0)
        #expect(RawSodium.open(box, key, secret).status == -1)
    }

    @Test func sealingInPlaceReportsSuccessAndCorrupts() {
        var buffer = text + [UInt8](repeating: 0, count: 48)
        let count = UInt64(text.count)
        let status = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int32(-2) }
            return unsafe crypto_box_seal(start, start, count, key)
        }
        #expect(status == 0)
        let opened = RawSodium.open(buffer, key, secret)
        #expect(opened.status == 0, "The box is whole, so nobody notices.")
        #expect(opened.message != text)
    }

    @Test func aFailedOpenLeavesTheOutputAlone() {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, secret) == (0, text))
        let untouched = [UInt8](repeating: 0xAA, count: text.count)
        for bit in 0..<(box.count * 8) {
            #expect(RawSodium.open(flipping(bit: bit, of: box), key, secret) == (-1, untouched), "bit \(bit)")
        }
    }

    @Test func noTruncationOpens() {
        let box = RawSodium.seal(text, to: key).box
        for length in 0..<box.count {
            let (status, message) = RawSodium.open(Array(box[..<length]), key, secret)
            #expect(status == -1, "\(length) bytes")
            #expect(message.allSatisfy { $0 == 0xAA }, "\(length) bytes")
        }
    }

    @Test(arguments: [0, 1, 2, 255])
    func bitsThatClampingIgnoresDoNotMatter(_ bit: Int) {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, flipping(bit: bit, of: secret)) == (0, text))
    }

    @Test func otherBitsOfASecretKeyDoMatter() {
        let box = RawSodium.seal(text, to: key).box
        #expect(RawSodium.open(box, key, flipping(bit: 3, of: secret)).status == -1)
    }
}
