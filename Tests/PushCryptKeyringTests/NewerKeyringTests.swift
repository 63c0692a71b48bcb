import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCore
@testable import PushCryptKeyring

/// Keyrings of a newer version, whose members this version would lose.
@Suite struct NewerKeyringTests {
    private let scratch = try? Scratch()
    private let key = RingText.entry(.device(.alice), "primary")

    private func text(_ member: String? = nil, ofKey: String? = nil) -> String {
        let key = ofKey.map { self.key.with($0, "\"A\"") } ?? self.key
        let text = RingText(keys: [key]).text
        return member.map { "{\($0),\(text.dropFirst())" } ?? text
    }

    /// Members of the set, and of a key.
    static let newer: [(String?, String?)] = [
        (#""version":2"#, nil), (#""version":"1""#, nil), (#""owner":"a.b""#, nil),
        (#""clock":1,"estimated":1"#, nil),
        (#""Generation":1"#, nil), (nil, "secret"), (nil, "expires"), (nil, "counted"),
    ]

    @Test("A keyring with an unknown member is read and not written", arguments: newer)
    func isNotWritten(_ member: String?, _ ofKey: String?) throws {
        let scratch = try #require(scratch)
        let text = text(member, ofKey: ofKey)
        let path = scratch.write(Array(text.utf8), to: "ring.jwks")
        let file = KeyringFile<RecipientPrivateKey>(path: path)
        #expect(try file.read().primary.key.publicKey == TestKeys.device().publicKey)
        let passphrase = try Passphrase(Array("secret".utf8))
        let errors = [
            thrownError { try file.createOrRotate(at: Date()) },
            thrownError {
                try file.update { (ring) throws(PushCryptError) in
                    try ring.addPendingKey(at: Date())
                }
            },
            thrownError { try file.setPassphrase(passphrase) },
        ]
        let isDevices =
            member?.contains("owner") == true || member?.contains("clock") == true
            || ofKey == "counted"
        let words = isDevices ? "Name another keyring." : "Update this program."
        for error in errors {
            #expect(error?.code == (isDevices ? .wrongKeyType : .newerFormat))
            #expect(error?.reason.contains(words) == true)
        }
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    }

    @Test(
        "A protection with an unknown member is opened and not replaced",
        arguments: ["keyring", "salt"])
    func newerProtection(before name: String) throws {
        let scratch = try #require(scratch)
        let passphrase = try Passphrase(Array("secret".utf8))
        let file = KeyringFile<RecipientPrivateKey>(
            path: scratch.file(), passphrase: { passphrase }, protectsNewFiles: true)
        _ = try file.readOrCreate(at: Date())
        let text = String(decoding: try #require(scratch.contents(of: "ring.jwks")), as: UTF8.self)
        let newer = Array(
            text.replacingOccurrences(of: "\"\(name)\"", with: "\"recovery\":1,\"\(name)\"").utf8)
        scratch.write(newer, to: "ring.jwks")
        #expect(try file.read().generation == 1)
        #expect(thrownError { try file.createOrRotate(at: Date()) }?.code == .newerFormat)
        #expect(thrownError { try file.setPassphrase(nil) }?.code == .newerFormat)
        #expect(scratch.contents(of: "ring.jwks").map { Array($0) } == newer)
    }

    @Test("Version 1 needn't be stated") func versionOne() throws {
        let scratch = try #require(scratch)
        let path = scratch.write(Array(text(#""version":1"#).utf8), to: "ring.jwks")
        #expect(
            try KeyringFile<RecipientPrivateKey>(path: path).createOrRotate(at: Date()).generation
                == 8)
    }

    @Test(
        "The error repeats harmless names only",
        arguments: [("a-b", "\"a-b\""), ("a\\u0007b", "of 3 bytes")])
    func namesAreHarmless(_ name: String, _ quoted: String) throws {
        let ring = try Keyring<RecipientPrivateKey>(parsing: Array(text("\"\(name)\":1").utf8).span)
        #expect(
            thrownError { try ring.exportToStore() }?.reason.contains("the member \(quoted)")
                == true)
    }
}
