package import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Keyring {
    /// The keyring as JSON **with its private keys**, in guarded memory: for a store to keep, and for nothing else.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    package func exportWithPrivateKeys() throws(PushCryptError) -> SecretBytes {
        let notes =
            (watch.map {
                ",\"clock\":\(ExactInteger.seconds($0.clock)),\"believed\":\(ExactInteger.seconds($0.believed))"
            } ?? "")
            + (owner.map { ",\"owner\":\(Self.quoted($0))" } ?? "")
        var pieces: [Piece] = [.text(#"{"generation":\#(generation)\#(notes),"keys":["#)]
        pieces += Self.pieces(for: primary.key, created: primary.created, state: "primary")
        for entry in pending {
            pieces += [.text(",")] + Self.pieces(for: entry.key, created: entry.created, state: "pending")
        }
        for entry in retired {
            pieces += [.text(",")]
            pieces += Self.pieces(
                for: entry.key, created: entry.created, state: "retired",
                retired: ",\"retired\":\(ExactInteger.seconds(entry.retired))"
                    + (entry.isDateKnown ? ",\"known\":true" : ""))
        }
        pieces.append(.text("\n]}\n"))
        return try SecretBytes(count: pieces.reduce(0) { $0 + $1.length }) { (bytes) throws(PushCryptError) in
            var position = 0
            for piece in pieces {
                piece.write(to: &bytes, at: position)
                position += piece.length
            }
        }
    }

    /// The keyring as a store keeps it, and as it reads from that: what cannot be read back is never written.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or why it could not be read.
    package func exportToStore() throws(PushCryptError) -> (stored: Self, contents: SecretBytes) {
        let contents = try exportWithPrivateKeys()
        let stored = try contents.read { (bytes) throws(PushCryptError) in try Self(parsing: bytes) }
        return (stored, contents)
    }

    private static func pieces(for key: Key, created: Date, state: String, retired: String = "") -> [Piece] {
        let jwk = key.publicKey.jwk.dropLast()
        return [
            .text("\n\(jwk),\"created\":\(ExactInteger.seconds(created))\(retired),\"state\":\"\(state)\",\"d\":\""),
            .secret(key.secret), .text("\"}"),
        ]
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A part of a keyring's JSON: text that anybody may see, or a private key, which is encoded in guarded memory only.
private enum Piece {
    case text(String)
    case secret(SecretBytes)

    var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .secret: SecretBase64.encodedLength
        }
    }

    func write(to bytes: inout MutableSpan<UInt8>, at position: Int) {
        switch self {
        case .text(let text):
            for (index, byte) in text.utf8.enumerated() { bytes[position + index] = byte }
        case .secret(let key):
            SecretBase64.encodeKey(key, into: &bytes, at: position)
        }
    }
}
