import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// No private key is in the project but the throwaway ones, which the whole world has.
@Suite struct PrivateKeyScanTests {
    /// What may be here beside keys that are text which says so: the private keys that RFCs publish, and public halves that
    /// test vectors have in the place of private ones.
    private static let published: [String: String] = [
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A": "RFC 8037 A.1",
        "XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os": "RFC 7748 6.1",
        "dbMahsIgXNXKIfiZ-WIDpSmVpRwDIdKqc4EJJxuP2kA": "the public half of the test device alice",
        "Ey7XEw8fd2xxeea7Jy-6_9qILSz51hjn-QQNzwCR9JE": "the public half of the test sender acme",
    ]

    @Test func noOtherPrivateKeyIsInTheProject() throws {
        var found = 0
        var scanned = 0
        for path in try Self.files() {
            guard let data = try? Data(contentsOf: Document.project.appendingPathComponent(path)) else { continue }
            scanned += 1
            for secret in Self.privateKeys(in: Array(data)) {
                found += 1
                #expect(Self.isThrowaway(secret), "\(path) has a private key that is not marked as a throwaway one.")
            }
        }
        #expect(scanned > 200 && found > 10, "The scan must have seen the project and the throwaway keys.")
    }

    @Test func aPrivateKeyWouldBeFound() throws {
        let ring = try Keyring<RecipientPrivateKey>(createdAt: Date())
        let text = try ring.exportWithPrivateKeys().read { (bytes) in (0..<bytes.count).map { bytes[$0] } }
        let secrets = Self.privateKeys(in: text)
        #expect(secrets.count == 1 && !secrets.contains(where: Self.isThrowaway))
        let escaped = Array(String(decoding: text, as: UTF8.self).replacing("\"", with: "\\\"").utf8)
        #expect(Self.privateKeys(in: escaped) == secrets)
    }

    /// All files that git keeps, or would; all files where there is no git.
    private static func files() throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", Document.project.path, "ls-files", "-co", "--exclude-standard"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let names = output.split(separator: "\n").map(String.init)
        if !names.isEmpty { return names }
        let all = FileManager.default.enumerator(atPath: Document.project.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.hasPrefix(".build") && !$0.contains("/.build") && !$0.hasPrefix(".git/") }
    }

    /// The values of members `"d"` that are as long as a key of these curves, 43 characters of base64url; quotation marks
    /// may have backslashes before them.
    private static func privateKeys(in bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("\"d") || text.contains("\"d\\") else { return [] }
        return text.matches(of: /\\?"d\\?"\s*:\s*\\?"([A-Za-z0-9_-]{43})\\?"/).map { String($0.output.1) }
    }

    /// Whether a private key protects nothing.
    ///
    /// Vectors change a bit here and there, so not all of the text is compared.
    private static func isThrowaway(_ secret: String) -> Bool {
        guard published[secret] == nil else { return true }
        let text = try? Base64URL.decode(Array(secret.utf8.prefix(40)).span)
        return text.map { String(decoding: $0, as: UTF8.self).contains("ushcrypt test key ") } ?? false
    }
}
