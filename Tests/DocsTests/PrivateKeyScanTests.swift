import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The project contains only throwaway private keys, which are public.
@Suite(.ownThread) struct PrivateKeyScanTests {
    /// Allowed values besides keys whose bytes are a text that says so: the keys of RFCs, and
    /// public keys in test vectors.
    private static let published = [
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",  // RFC 8037 A.1
        "XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os",  // RFC 7748 6.1
        "dbMahsIgXNXKIfiZ-WIDpSmVpRwDIdKqc4EJJxuP2kA",  // the public key of the test device alice
        "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE",  // the public key of the test sender acme
    ]

    @Test("The project contains only throwaway private keys", .thorough)
    func projectContainsOnlyThrowawayKeys() throws {
        var (found, scanned) = (0, 0)
        for path in try Self.files() {
            guard let data = try? Data(contentsOf: Document.project.appendingPathComponent(path))
            else { continue }
            scanned += 1
            for secret in Self.privateKeys(in: Array(data)) {
                found += 1
                #expect(
                    Self.isThrowaway(secret),
                    "\(path) has a private key that isn't marked as a throwaway key.")
            }
        }
        #expect(
            scanned > 200 && found > 10, "The scan must see the project and the throwaway keys.")
    }

    @Test("The scan finds a private key")
    func scanFindsAPrivateKey() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date())
        let text = try ring.exportWithPrivateKeys().withSpan { (bytes) in
            (0..<bytes.count).map { bytes[$0] }
        }
        let secrets = Self.privateKeys(in: text)
        #expect(secrets.count == 1 && !secrets.contains(where: Self.isThrowaway))
        let escaped = Array(
            String(decoding: text, as: UTF8.self).replacing("\"", with: "\\\"").utf8)
        #expect(Self.privateKeys(in: escaped) == secrets)
    }

    /// Returns the files that git keeps or would add; all files without git.
    private static func files() throws -> [String] {
        let list = try Shell.run(
            "git ls-files -co --exclude-standard || true", in: Document.project
        ).output
            .split(separator: "\n").map(String.init)
        if list.count > 200 { return list }
        let all =
            FileManager.default.enumerator(atPath: Document.project.path)?.compactMap {
                $0 as? String
            } ?? []
        return all.filter {
            !$0.hasPrefix(".build") && !$0.contains("/.build") && !$0.hasPrefix(".git/")
        }
    }

    /// Returns the values of members `"d"` with 43 characters of base64url, even with escaped
    /// quotation marks.
    private static func privateKeys(in bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("\"d") || text.contains("\"d\\") else { return [] }
        return text.matches(of: /\\?"d\\?"\s*:\s*\\?"([A-Za-z0-9_-]{43})\\?"/).map {
            String($0.output.1)
        }
    }

    /// Returns whether a part of a private key is the text of throwaway keys, because vectors flip
    /// some bits.
    private static func isThrowaway(_ secret: String) -> Bool {
        guard !published.contains(secret) else { return true }
        let text = try? Base64URL.decode(Array(secret.utf8.prefix(40)).span)
        return text.map { String(decoding: $0, as: UTF8.self).contains("ushcrypt test key ") }
            ?? false
    }
}
