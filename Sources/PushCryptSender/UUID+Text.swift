internal import PushCryptFoundation

extension UUID {
    /// The UUID in lowercase hexadecimal digits and hyphens (RFC 9562, section 4).
    ///
    /// Foundation formats with `snprintf` on Linux, which takes ten times as long.
    var lowercasedText: String {
        let bytes = uuid
        let all = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in all.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(Self.digit(byte >> 4))
            text.append(Self.digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
