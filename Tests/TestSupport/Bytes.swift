internal import Foundation
package import PushCryptCore

/// Returns the bytes of a hexadecimal string.
package func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}

/// Returns base64url from Foundation's base64, independent of the code under test.
package func foundationBase64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
        "=", with: "")
}

/// Returns the bytes with one flipped bit.
package func flipping(bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}

extension SecretBytes {
    /// Creates secret bytes from an array.
    package convenience init(_ bytes: [UInt8]) throws(PushCryptError) {
        try self.init(copying: bytes.span)
    }

    /// A copy of the bytes outside of guarded memory.
    package var copy: [UInt8] {
        withSpan { bytes in bytes.indices.map { bytes[$0] } }
    }
}

extension JSONDocument {
    /// A member by name; `#require` takes no spans.
    package func find(_ name: String, of object: Value? = nil, in bytes: [UInt8]) -> Value? {
        member(name, of: object ?? root, in: bytes.span)
    }
}
