@testable import PushCryptCore
@testable import PushCryptReceiver

/// Invariants of the text of an envelope.
///
/// - Accepted base64url re-encodes to itself. A plain decoder, bit by bit, accepts the same texts.
/// - An accepted envelope's header re-encodes to itself.
/// - The decoder of private keys accepts the same texts of 43 characters.
/// - A sealed value in JSON is found at the carrier's location.
enum EnvelopeText {
    static func check(_ input: [UInt8]) {
        let bytes = accepted { () throws(PushCryptError) in try Base64URL.decode(input.span) }
        require(bytes == plain(input), "base64url is decoded as by a plain decoder")
        checkPrivateKey(input, bytes)
        checkSealedValue(input)
        guard let bytes else { return }
        require(
            Array(Base64URL.encode(bytes).utf8) == input, "accepted base64url re-encodes to itself")
        require(
            bytes.count == Base64URL.capacity(input.count),
            "the number of bytes is the one of the capacity")
        guard let id = accepted({ () throws(PushCryptError) in try Envelope.keyID(of: bytes) })
        else { return }
        require(bytes.count >= Envelope.overhead, "an envelope has room for a sealed box")
        require(
            [Envelope.version] + id.bytes == Array(bytes[..<Envelope.headerLength]),
            "a header is kept")
    }

    /// Decodes bit by bit; returns `nil` for another alphabet, an impossible length or bits that
    /// belong to no byte.
    private static func plain(_ input: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in input {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= (1 << UInt32(count)) - 1
        }
        return input.count % 4 != 1 && bits == 0 ? bytes : nil
    }

    private static func checkPrivateKey(_ input: [UInt8], _ bytes: [UInt8]?) {
        guard input.count == SecretBase64.encodedLength else { return }
        let key = accepted { () throws(PushCryptError) in try SecretBase64.decodeKey(input.span) }
        require((key == nil) == (bytes == nil), "both decoders accept the same keys")
        guard let key, let bytes else { return }
        require(key.withSpan { [UInt8](copying: $0) } == bytes, "both decoders give the same key")
    }

    private static func checkSealedValue(_ input: [UInt8]) {
        guard input.first == UInt8(ascii: "{"),
            let value = accepted({ () throws(PushCryptError) in
                try SealedValue(json: input, from: .apns)
            })
        else { return }
        let document = try? JSONDocument(scanning: input.span)
        let member = document?.member(Envelope.payloadKey, in: input.span)
        let text = document?.string(member, in: input.span)
        require(
            text.map { Array($0.utf8) } == value.text,
            "the sealed value is the member ENCRYPTED_DATA")
    }
}
