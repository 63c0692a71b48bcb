internal import Foundation
package import PushCryptCore

/// The bytes that a string of hexadecimal digits spells.
package func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Base64url without padding, made of Foundation's base64: independent of the code under test.
package func foundationBase64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

/// The same bytes but for one bit.
package func flipping(bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}

extension SecretBytes {
    /// Secret bytes that are none, for tests.
    package convenience init(_ bytes: [UInt8]) throws(PushCryptError) {
        try self.init(count: bytes.count) { (target) throws(PushCryptError) in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    /// A copy, which only a test makes.
    package var copy: [UInt8] {
        read { bytes in bytes.indices.map { bytes[$0] } }
    }
}

extension JSONDocument {
    /// A member by name; `#require` takes no spans.
    package func find(_ name: String, of object: Value? = nil, in bytes: [UInt8]) -> Value? {
        member(name, of: object ?? root, in: bytes.span)
    }
}
