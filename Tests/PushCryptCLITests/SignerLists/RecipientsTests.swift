import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Tests of `--recipients` of `keys promote`, `check` and `prune`.
@Suite(.toolThreads, .thorough) struct RecipientsTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    @Test("check prints how many recipients accept which key") func table() throws {
        let second = try server.rotate()
        let third = try server.addPending()
        let foreign = try SigningKey().publicKey
        try server.write(
            server.registration(accepting: [server.first]),
            #"{"id":1,"registration":\#(server.registration(accepting: [server.first, second]))}"#,
            #"{"to":\#(server.registration(accepting: [second, third]))}"#, "",
            #"{"to":\#(server.registration(accepting: nil))}"#,
            server.registration(accepting: [foreign]),
            server.registration(accepting: [third]))
        let run = try server.run("check", "--recipients", "devices.ndjson")
        #expect(run.status == 0)
        let rows = run.text.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows == [
                "ID STATE RECIPIENTS", "\(second.keyID) primary 2 of 6",
                "\(third.keyID) pending 2 of 6",
                "\(server.first.keyID) retired 2 of 6", "\(foreign.kid.prefix(10)) other 1 of 6",
                "other: a revoked key, or a root that isn't in the keyring",
                "1 recipient doesn't tell: the primary key signs",
                "2 recipients accept no key that signs: send a placeholder",
            ])
        // The registration can be a string, and come from standard input.
        let text = "\"\(server.registration(accepting: [second]).replacing("\"", with: "\\\""))\""
        let other = try server.run(
            "check", "--recipients", "-", input: #"{"registration":\#(text)}"#)
        #expect(other.text.contains("1 of 1"), "\(other.errors)")
    }

    @Test("promote prints the table as hints, and counts the new key as one that signs")
    func promote() throws {
        let second = try server.addPending()
        try server.write(server.registration(accepting: [second]))
        let run = try server.run("promote", "--recipients", "devices.ndjson")
        #expect(run.status == 0 && run.text == second.jwk + "\n")
        #expect(
            run.errors.contains("pushcrypt: hint: \(second.keyID)  pending  1 of 1\n"),
            "\(run.errors)")
        #expect(
            !run.errors.contains("no key that signs") && !run.errors.contains("unknown without"))
    }

    @Test("Without them, promote and check say that they can't know") func unknown() throws {
        try server.addPending()
        #expect(try server.run("check").errors.contains("is unknown without '--recipients'"))
        let run = try server.run("promote")
        #expect(run.status == 0 && run.errors.contains("is unknown without '--recipients'"))
    }

    @Test("prune keeps retired keys, unless no recipient has needed them for 32 days") func prune()
        throws
    {
        let second = try server.rotate()
        let third = try server.rotate()
        let kept = try server.run("prune")
        #expect(kept.status == 0 && kept.output.isEmpty)
        #expect(
            kept.errors == """
                pushcrypt: hint: kept 2 retired keys, because devices may accept no newer key; \
                '--recipients' tells which none needs\n
                """)
        try server.write(
            server.registration(accepting: [server.first, second, third]),
            server.registration(accepting: nil))
        let prune = ["prune", "--recipients", "devices.ndjson"]
        let marked = try server.run(prune[0], prune[1], prune[2])
        #expect(
            marked.output.isEmpty
                && marked.errors.contains("kept 1 retired key that no device needs"))
        try server.ageUnneededKeys(days: 31)
        #expect(try server.run(prune[0], prune[1], prune[2]).output.isEmpty)
        try server.ageUnneededKeys(days: 1)
        #expect(try server.run("check", prune[1], prune[2]).errors.contains("1 retired key is due"))
        let run = try server.run(prune[0], prune[1], prune[2])
        #expect(run.status == 0 && run.text.hasPrefix("\(second.keyID)  retired "), "\(run.errors)")
        // Apps may pin the first key.
        #expect(try server.ring().publicKeys == [third, server.first])
        #expect(
            try server.run(prune[0], prune[1], prune[2]).errors
                == "pushcrypt: hint: no key is due\n")
    }

    @Test("A key that one recipient needs isn't marked") func needed() throws {
        let second = try server.rotate()
        try server.rotate()
        try server.write(server.registration(accepting: [server.first, second]))
        for _ in 1...2 {
            #expect(try server.run("prune", "--recipients", "devices.ndjson").output.isEmpty)
        }
        #expect(try !server.tool.read("server.jwks").contains("unneeded"))
    }

    @Test(
        "A file that isn't all recipients changes nothing",
        arguments: ["", "\n\n", "{}\n", "[]\n", "?\n", "GOOD\n{}\n"])
    func wrongFile(contents: String) throws {
        _ = try server.age(days: 100)
        try server.rotate(at: ServerDirectory.date(-50))
        try server.addPending()
        let good = server.registration(accepting: [try server.ring().primary.key.publicKey])
        try server.tool.write(contents.replacing("GOOD", with: good), to: "devices.ndjson")
        let before = try server.tool.read("server.jwks")
        for command in ["prune", "promote", "check"] {
            let run = try server.run(command, "--recipients", "devices.ndjson")
            #expect(
                run.status != 0 && run.output.isEmpty
                    && run.errors.contains("--recipients devices.ndjson"))
        }
        #expect(try server.tool.read("server.jwks") == before)
    }

    @Test("An error of the file names its option, not the keyring") func directory() throws {
        let run = try server.run("check", "--recipients", ".")
        #expect(
            run.status == 1 && run.errors.contains("error: --recipients: ")
                && !run.errors.contains("server.jwks"))
    }

    @Test("A keyring of a device has no recipients") func deviceKeyring() throws {
        try server.tool.createKeyring("device.jwks", of: RecipientPrivateKey.self)
        try server.write(server.registration(accepting: nil))
        for arguments in [["--recipients", "devices.ndjson"], ["--list", "devices.ndjson"]] {
            let run = try server.tool.run(
                all: ["keys", "check", "--keyring", "device.jwks"] + arguments)
            #expect(
                run.status == 65 && run.errors.contains("requires a keyring of signing keys"),
                "\(run.errors)")
        }
    }

    @Test("A retired signing key has no due date") func list() throws {
        _ = try server.age(days: 100)
        try server.rotate(at: ServerDirectory.date(-50))
        let run = try server.run("list")
        #expect(run.text.hasSuffix("retired  100 days  -\n"), "\(run.text)")
        let entries = try JSONValue(parsing: Array(server.run("list", "--json").output))["keys"]?
            .arrayValue
        #expect(entries?.last?["retired"] != nil && entries?.last?["expiration"] == nil)
    }
}
