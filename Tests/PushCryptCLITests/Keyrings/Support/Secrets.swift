import Foundation
import PushCryptTesting
import Testing

/// The private keys of a keyring file, in the forms in which a leak would show them.
struct Secrets {
    /// The text of each `d`, and its bytes without the first and the last, which the key exchange
    /// changes in its copy.
    let needles: [[UInt8]]
    /// The keys as text: base64url, base64 and hexadecimal.
    let texts: [String]

    /// Finds the private keys in a keyring's text.
    init(in keyring: String) throws {
        let keys = keyring.components(separatedBy: #""d":""#).dropFirst().map {
            String($0.prefix(43))
        }
        let bytes = keys.map { key in
            let base64 = key.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
                of: "_", with: "/")
            return Array(Data(base64Encoded: base64 + "=") ?? Data())
        }
        try #require(!keys.isEmpty)
        for key in bytes { try #require(key.count == 32) }
        let raw = bytes.map { Array($0.dropFirst().dropLast()) }
        needles = keys.map { Array($0.utf8) } + raw
        let base64 = bytes.map { String(Data($0).base64EncodedString().dropLast(1)) }
        let hexadecimal = bytes.map { key in key.map { String(format: "%02x", $0) }.joined() }
        texts = keys + base64 + hexadecimal
    }

    /// Expects that a run has printed no private key.
    func expectAbsence(in run: Tool.Run, _ place: String) {
        let printed = run.text + run.errors
        #expect(
            !texts.contains { printed.contains($0.dropFirst(2).dropLast(2)) },
            "\(place): a private key is printed")
    }
}
