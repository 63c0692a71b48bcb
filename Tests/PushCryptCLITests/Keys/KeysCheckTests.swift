import Foundation
import PushCryptTesting
import Testing

/// Tests of `keys check`.
@Suite(.toolThreads) struct KeysCheckTests {
    private let keys: KeyDirectory

    init() throws {
        keys = try KeyDirectory()
    }

    @Test("A valid file is reported as valid") func aValidFileIsReported() throws {
        _ = try keys.create()
        _ = try keys.addPending()
        let run = try keys.run("check")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(
            run.errors
                == "pushcrypt: hint: device.jwks is valid: generation 2, use enc, 1 primary, 1 pending, 0 retired\n"
        )
    }

    @Test(
        "Each mistake has its error",
        arguments: [
            (#""state":"primary""#, #""state":"pending""#, "no-primary-key"),
            (#""state":"retired""#, #""state":"primary""#, "multiple-primary-keys"),
            (#""state":"retired""#, #""state":"lost""#, "unknown-key-state"),
            (#""generation":2"#, #""generation":0"#, "malformed-keyring"),
            (#""generation":2"#, #""generation":2.5"#, "malformed-keyring"),
            (#""created":1"#, #""made":1"#, "malformed-keyring"),
            (#""retired":1"#, #""gone":1"#, "malformed-keyring"),
            (#""kty":"OKP""#, #""kty":"RSA""#, "wrong-key-type"),
            ("\n]}\n", "\n]", "malformed-jwk"),
        ])
    func eachMistakeHasItsError(old: String, new: String, code: String) throws {
        _ = try keys.create()
        _ = try keys.create()
        let text = try keys.tool.read(KeyDirectory.name)
        #expect(text.contains(old))
        let broken = text.replacing(old, with: new, maxReplacements: 1)
        try broken.write(toFile: keys.path, atomically: false, encoding: .utf8)
        let run = try keys.run("check")
        #expect(run.status == 65)
        #expect(run.errors.contains("[\(code)]"), "\(run.errors)")
        #expect(try keys.tool.read(KeyDirectory.name) == broken)
        try keys.expectNothingSecret(run)
    }

    @Test("Mismatched key pairs are found") func mismatchedKeyPairsAreFound() throws {
        _ = try keys.create()
        _ = try keys.create()
        let text = try keys.tool.read(KeyDirectory.name)
        let secrets = text.components(separatedBy: #""d":""#).dropFirst().map {
            String($0.prefix(43))
        }
        try text.replacing(secrets[0], with: secrets[1]).write(
            toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("check").errors.contains("[key-pair-mismatch]"))
        let kids = text.components(separatedBy: #""kid":""#).dropFirst().map {
            String($0.prefix(43))
        }
        try text.replacing(kids[0], with: kids[1]).write(
            toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("check").errors.contains("[thumbprint-mismatch]"))
    }

    @Test("An insecure file ends with status 65, a missing one with 1")
    func anInsecureFileIs65AndAMissingOneIs1() throws {
        let missing = try keys.run("check")
        #expect(missing.status == 1 && missing.errors.contains("[file-not-found]"))
        _ = try keys.create()
        try keys.tool.setMode(0o640, of: KeyDirectory.name)
        let run = try keys.run("check")
        #expect(run.status == 65)
        #expect(run.errors.contains("chmod 600") && run.errors.contains("[insecure-file]"))
    }

    @Test("Due keys and an old primary key give warnings") func dueAndOldKeysGiveWarnings() throws {
        _ = try keys.create()
        _ = try keys.create()
        try keys.age(days: 400)
        let run = try keys.run("check")
        #expect(run.status == 0)
        #expect(run.errors.contains("1 retired key is due: 'pushcrypt keys prune'"))
        #expect(run.errors.contains("more than a year old: 'pushcrypt keygen' rotates it"))
    }
}
