/// Encodings of points on Curve25519 that are not valid keys.
package enum Points {
    /// 0, 1, the two of order 8, p − 1, p and p + 1 (https://cr.yp.to/ecdh.html#validate).
    package static let sevenOfSmallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        belowTwoTo255(0xEC), belowTwoTo255(0xED), belowTwoTo255(0xEE),
    ]

    /// The seven, each also with the top bit set.
    package static let fourteenOfSmallOrder = sevenOfSmallOrder + sevenOfSmallOrder.map(withTopBit)

    /// All 19 numbers from p = 2^255 − 19 to 2^255 − 1.
    package static let nineteenNotCanonical = (UInt8(0xED)...0xFF).map(belowTwoTo255)

    /// A number near 2^255, by its lowest byte.
    package static func belowTwoTo255(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }

    package static func withTopBit(_ bytes: [UInt8]) -> [UInt8] {
        flipping(bit: 255, of: bytes)
    }
}
