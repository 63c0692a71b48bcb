internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// Refuses to overwrite key files, which can't be recovered.
enum KeyFileGuard {
    /// Checks that a file, which may be missing, holds no keys.
    ///
    /// - Throws: ``PushCryptError`` with `fileExists` if the file holds keys, or might.
    static func check(_ path: String) throws(PushCryptError) {
        guard
            !path.hasSuffix(".lock")
                || !FileManager.default.fileExists(atPath: String(path.dropLast(5)))
        else {
            throw PushCryptError(
                .fileExists, "\(path) is the lock of a keyring. Name another file for the output.")
        }
        let file: SecretBytes
        do throws(PushCryptError) {
            file = try SecretFile(path).read(isPrivate: false)
        } catch {
            // The writer rejects everything but a regular file.
            if error.code == .fileNotFound || error.code == .insecureFile { return }
            // A large file may be a sealed attachment, which begins as no key does.
            let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(
                upToCount: 1)
            if start == Data([1]) { return }
            throw PushCryptError(
                .fileExists,
                """
                \(path) might hold keys, and is not overwritten. \(error.reason) Name another \
                file.
                """)
        }
        guard !file.withSpan({ mayHoldKeys($0) }) else {
            throw PushCryptError(
                .fileExists,
                "\(path) holds keys and is not overwritten. Name another file for the output.")
        }
    }

    /// Returns a Boolean value that indicates whether some bytes may be keys, even if they are
    /// damaged, protected, or PEM.
    static func mayHoldKeys(_ bytes: Span<UInt8>) -> Bool {
        guard let document = try? JSONDocument(scanning: bytes) else {
            return [
                "\"keys\"", "\"kty\"", "\"protection\"", "\"kdf\"", "\"keyring\"", "-----BEGIN",
            ].contains {
                KeyMaterial.contains($0, bytes)
            }
        }
        // An alert may have members of any name. It always has "aps", which no key has.
        guard document.member("aps", in: bytes) == nil else { return false }
        return ["keys", "kty", "protection"].contains { document.member($0, in: bytes) != nil }
    }
}
