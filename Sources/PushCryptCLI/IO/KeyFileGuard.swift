internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// Keeps output from taking the place of a key file, the loss of which nothing makes good.
enum KeyFileGuard {
    /// Checks that a file that is about to be overwritten holds no keys.
    ///
    /// - Parameter path: the file; it need not be there.
    /// - Throws: ``PushCryptError`` with `fileExists` where it holds keys, or might.
    static func check(_ path: String) throws(PushCryptError) {
        guard !path.hasSuffix(".lock") || !FileManager.default.fileExists(atPath: String(path.dropLast(5))) else {
            throw PushCryptError(
                .fileExists, "\(path) keeps two writers of a keyring apart and is not overwritten. Name another file.")
        }
        let file: SecretBytes
        do throws(PushCryptError) {
            file = try SecretFile(path).read(isPrivate: false)
        } catch {
            switch error.code {
            // What is no plain file is refused by whoever writes.
            case .fileNotFound, .insecureFile: return
            default:
                throw PushCryptError(
                    .fileExists,
                    "\(path) is not overwritten, since it might hold keys. \(error.reason) Name another file.")
            }
        }
        guard !file.read({ mayHoldKeys($0) }) else {
            throw PushCryptError(
                .fileExists, "\(path) holds keys and is not overwritten. Name another file for the output.")
        }
    }

    /// Whether this is a key or a keyring: also one of a newer release, one under a passphrase, one that is damaged, or one of
    /// another program's in PEM, as APNs keys are.
    private static func mayHoldKeys(_ bytes: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: bytes) else {
            let marks: [StaticString] = [
                "\"keys\"", "\"kty\"", "\"protection\"", "\"kdf\"", "\"keyring\"", "-----BEGIN",
            ]
            return marks.contains { contains($0, bytes) }
        }
        // A payload may have members of any name, but always has this one, which no key has.
        guard document.member("aps", in: bytes) == nil else { return false }
        return ["keys", "kty", "protection"].contains { document.member($0, in: bytes) != nil }
    }

    private static func contains(_ text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let text = Array(text.description.utf8)
        guard bytes.count >= text.count else { return false }
        return (0...(bytes.count - text.count)).contains { start in
            text.indices.allSatisfy { bytes[start + $0] == text[$0] }
        }
    }
}
