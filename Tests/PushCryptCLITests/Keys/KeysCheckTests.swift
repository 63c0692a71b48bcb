import Foundation
import PushCryptTesting
import Testing

/// Tests of `keys check`.
@Suite struct KeysCheckTests {
    private let keys: KeyFolder

    init() throws {
        keys = try KeyFolder()
    }

    @Test("A valid file is reported as valid") func aGoodFileIsInOrder() throws {
        _ = try keys.make()
        _ = try keys.make("--pending")
        let run = try keys.run("check")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(
            run.errors
                == "pushcrypt: hint: device.jwks is valid: generation 2, use enc, 1 primary, 1 pending, 0 retired\n")
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
    func eachFaultHasItsError(old: String, new: String, code: String) throws {
        _ = try keys.make()
        _ = try keys.make()
        let text = try keys.tool.read(KeyFolder.name)
        #expect(text.contains(old))
        let broken = text.replacing(old, with: new, maxReplacements: 1)
        try broken.write(toFile: keys.path, atomically: false, encoding: .utf8)
        let run = try keys.run("check")
        #expect(run.status == 65)
        #expect(run.errors.contains("[\(code)]"), "\(run.errors)")
        #expect(try keys.tool.read(KeyFolder.name) == broken)
        try keys.expectNothingSecret(run)
    }

    @Test("Mismatched key pairs are found") func halvesThatDoNotBelongTogetherAreFound() throws {
        _ = try keys.make()
        _ = try keys.make()
        let text = try keys.tool.read(KeyFolder.name)
        let secrets = text.components(separatedBy: #""d":""#).dropFirst().map { String($0.prefix(43)) }
        try text.replacing(secrets[0], with: secrets[1]).write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("check").errors.contains("[key-pair-mismatch]"))
        let kids = text.components(separatedBy: #""kid":""#).dropFirst().map { String($0.prefix(43)) }
        try text.replacing(kids[0], with: kids[1]).write(toFile: keys.path, atomically: false, encoding: .utf8)
        #expect(try keys.run("check").errors.contains("[thumbprint-mismatch]"))
    }

    @Test("An insecure file ends with status 65, a missing one with 1")
    func aFileThatOthersMayReadIsWrongAndOneThatIsNotThereIsTrouble() throws {
        let missing = try keys.run("check")
        #expect(missing.status == 1 && missing.errors.contains("[file-not-found]"))
        _ = try keys.make()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keys.path)
        let run = try keys.run("check")
        #expect(run.status == 65)
        #expect(run.errors.contains("chmod 600") && run.errors.contains("[insecure-file]"))
    }

    @Test("Due keys and an old primary key give warnings") func whatShouldBeDoneIsSaid() throws {
        _ = try keys.make()
        _ = try keys.make()
        try keys.age(days: 400)
        let run = try keys.run("check")
        #expect(run.status == 0)
        #expect(run.errors.contains("1 retired key is due: 'pushcrypt keys prune'"))
        #expect(run.errors.contains("more than a year old: 'pushcrypt keygen' rotates it"))
    }
}
