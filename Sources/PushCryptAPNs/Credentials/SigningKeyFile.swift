#if APNs
internal import Crypto
internal import PushCryptFoundation
internal import PushCryptSender

/// The contents of an `AuthKey_….p8` file, as Apple gives it or another tool leaves it.
///
/// It is PEM (RFC 7468), read as liberally as OpenSSL reads it: text around the key, blanks, other
/// line lengths and a block of parameters are ignored. The error says the cause, because a first
/// user meets it before anything else works.
enum SigningKeyFile {
    /// Reads the P-256 private key.
    ///
    /// - Throws: ``PushCryptError`` with `invalidKey`, and never a part of the text.
    static func key(in text: String) throws(PushCryptError) -> P256.Signing.PrivateKey {
        try checkText(text)
        let blocks = PEMBlock.all(in: text)
        let keys = blocks.filter { $0.label == "PRIVATE KEY" || $0.label == "EC PRIVATE KEY" }
        guard let block = keys.first else { throw missingKey(text, blocks) }
        guard keys.count == 1 else {
            throw error("The file has \(keys.count) private keys. Give a file with one.")
        }
        guard block.isComplete else {
            throw error(
                "The key is incomplete: its END line is missing. Copy the whole file again.")
        }
        guard !block.content.contains("ENCRYPTED") else { throw encrypted }
        let base64 = block.content.filter { !$0.isWhitespace }
        guard let bytes = Data(base64Encoded: base64) else {
            throw error("The key is damaged: it isn't valid base64. Copy the whole file again.")
        }
        // The library takes a key of another curve with as many bytes.
        if let other = otherType(of: bytes) { throw other }
        guard let key = try? P256.Signing.PrivateKey(derRepresentation: bytes) else {
            throw error("The key is damaged or was shortened. Copy the whole file again.")
        }
        return key
    }

    private static func error(_ reason: String) -> PushCryptError {
        PushCryptError(.invalidKey, reason)
    }

    private static let encrypted = error(
        """
        The private key is encrypted with a passphrase. Decrypt it with 'openssl pkcs8 -in FILE \
        -out key.p8'.
        """)

    /// Throws if the file isn't text in UTF-8 with line breaks.
    private static func checkText(_ text: String) throws(PushCryptError) {
        guard text.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
            throw error(
                "The file of the key is empty. Download it again, or restore it from your backup.")
        }
        guard !text.contains("\0") else {
            throw error(
                """
                The key is in UTF-16 or is binary. Save it as UTF-8 text, or convert it to PEM \
                with openssl.
                """)
        }
        guard !text.contains("-----\\n"), !text.contains("-----\\r\\n") else {
            throw error(
                """
                The key has the characters \\n in place of line breaks. Replace each \\n with a \
                line break.
                """)
        }
    }

    /// Returns the error of a text without a private key that signs.
    private static func missingKey(_ text: String, _ blocks: [PEMBlock]) -> PushCryptError {
        let advice = "Give the .p8 file that your developer account created."
        switch blocks.first?.label {
        case nil where text.drop(while: \.isWhitespace).hasPrefix("<"):
            return error("The file is an HTML or XML page, not a key. \(advice)")
        case nil where text.contains("PRIVATE KEY"):
            return error(
                """
                The key's line '-----BEGIN PRIVATE KEY-----' isn't complete. Copy the whole file \
                again.
                """)
        case nil:
            return error(
                "The file has no line '-----BEGIN PRIVATE KEY-----', so it isn't PEM. \(advice)")
        case "ENCRYPTED PRIVATE KEY": return encrypted
        case "CERTIFICATE", "TRUSTED CERTIFICATE", "CERTIFICATE REQUEST":
            return error("The file has a certificate and no private key. \(advice)")
        case "PUBLIC KEY", "RSA PUBLIC KEY", "EC PUBLIC KEY":
            return error("The file has a public key, and a private key is required. \(advice)")
        case "RSA PRIVATE KEY": return otherType("RSA")
        case "DSA PRIVATE KEY": return otherType("DSA")
        case "OPENSSH PRIVATE KEY": return otherType("OpenSSH")
        case "EC PARAMETERS":
            return error("The file has the parameters of a curve and no private key. \(advice)")
        default: return error("The file has no private key. \(advice)")
        }
    }

    /// Returns the error of a key of another type; `nil` if no other type is known.
    private static func otherType(of bytes: Data) -> PushCryptError? {
        for (name, identifier) in identifiers where bytes.range(of: identifier) != nil {
            return otherType(name)
        }
        return nil
    }

    private static func otherType(_ name: String) -> PushCryptError {
        error(
            """
            The type of the key is \(name), and APNs requires P-256. Create a key in your \
            developer account.
            """)
    }

    /// The object identifiers of other keys (RFC 8017, RFC 5480, RFC 8410, SEC 2) in DER.
    private static let identifiers: KeyValuePairs<String, [UInt8]> = [
        "RSA": [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01],
        "ECDSA P-384": [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22],
        "ECDSA P-521": [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23],
        "ECDSA secp256k1": [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x0A],
        "X25519": [0x06, 0x03, 0x2B, 0x65, 0x6E],
        "Ed25519": [0x06, 0x03, 0x2B, 0x65, 0x70],
    ]
}

/// A block of a PEM text.
private struct PEMBlock {
    /// The words between `BEGIN` and the dashes.
    let label: String

    /// The text between the first line and the last one, or up to the end of an incomplete text.
    let content: String

    /// A Boolean value that indicates whether the block has a last line with the same label.
    let isComplete: Bool

    /// Returns the blocks of a text, in order.
    static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = Array(text.utf8)[...]
        while let begin = rest.range(of: "-----BEGIN ") {
            rest = rest[begin.upperBound...]
            // A label is on one line.
            let label = rest.prefix { $0 != UInt8(ascii: "-") && $0 >= UInt8(ascii: " ") }
            guard rest[label.endIndex...].starts(with: "-----".utf8) else { continue }
            rest = rest[(label.endIndex + 5)...]
            let name = String(decoding: label, as: UTF8.self)
            let end = rest.range(of: "-----END \(name)-----")
            let content = rest[..<(end?.lowerBound ?? rest.endIndex)]
            blocks.append(
                PEMBlock(
                    label: name, content: String(decoding: content, as: UTF8.self),
                    isComplete: end != nil))
            if let end { rest = rest[end.upperBound...] }
        }
        return blocks
    }
}

extension Collection<UInt8> where Index == Int {
    /// Returns the first range of a text's bytes.
    fileprivate func range(of text: String) -> Range<Int>? { range(of: Array(text.utf8)) }

    /// Returns the first range of some bytes.
    fileprivate func range(of bytes: [UInt8]) -> Range<Int>? {
        guard count >= bytes.count else { return nil }
        let start = (startIndex...(endIndex - bytes.count)).first {
            self[$0...].starts(with: bytes)
        }
        return start.map { $0..<($0 + bytes.count) }
    }
}
#endif
