import Foundation
import PushCryptTesting
import Testing

/// A directory with a device's keyring, `device.jwks`, and the tool.
struct KeyFolder {
    let tool: Tool
    static let name = "device.jwks"

    init() throws {
        tool = try Tool()
    }

    /// Runs `pushcrypt keys` with a subcommand.
    func run(_ arguments: String...) throws -> Tool.Run {
        try tool.run(all: ["keys", arguments[0], "--keyring", Self.name] + arguments.dropFirst())
    }

    /// Runs `pushcrypt keygen` and returns the new key.
    func make(_ options: String...) throws -> RecipientPublicKey {
        let run = try tool.run(all: ["keygen", "--keyring", Self.name] + options)
        #expect(run.status == 0, "\(run.errors)")
        try expectNothingSecret(run)
        return try RecipientPublicKey(parsing: run.text)
    }

    /// The keyring as it is.
    func ring() throws -> Keyring<RecipientPrivateKey> {
        try KeyringFile<RecipientPrivateKey>(path: path).read()
    }

    var path: String { tool.folder.appendingPathComponent(Self.name).path }

    /// Makes everything in the keyring so many days older.
    func age(days: Int) throws {
        var text = try tool.read(Self.name)
        for name in ["created", "retired"] {
            var rest = text[...]
            var aged = ""
            while let range = rest.range(of: "\"\(name)\":") {
                aged += rest[..<range.upperBound]
                let digits = rest[range.upperBound...].prefix { $0.isNumber }
                aged += "\(try #require(Int(digits)) - days * 24 * 3600)"
                rest = rest[digits.endIndex...]
            }
            text = aged + rest
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try tool.mode(Self.name) == 0o600)
    }

    /// Checks that nothing of the private keys was printed.
    func expectNothingSecret(_ run: Tool.Run, sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard let file = try? tool.read(Self.name) else { return }
        let secrets = file.components(separatedBy: #""d":""#).dropFirst().map { $0.prefix(43) }
        for secret in secrets {
            #expect(!run.text.contains(secret) && !run.errors.contains(secret), sourceLocation: sourceLocation)
        }
    }
}
