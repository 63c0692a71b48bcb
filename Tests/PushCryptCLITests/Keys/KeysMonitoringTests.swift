import Foundation
import PushCryptTesting
import Testing

/// Tests of `keys check` for monitoring: `--json`, `--strict`, `--backup` and `--not-older-than`.
@Suite(.toolThreads) struct KeysMonitoringTests {
    private let server: ServerDirectory

    init() throws {
        server = try ServerDirectory()
    }

    private func copy(to name: String) throws {
        try server.tool.write(server.tool.read("server.jwks"), to: name, mode: 0o600)
    }

    private func report(_ run: Tool.Run) throws -> JSONValue {
        try JSONValue(parsing: Array(run.output))
    }

    private func codes(_ report: JSONValue) -> [String] {
        (report["findings"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
    }

    @Test("The report has the keys, the list, the recipients and the findings") func report() throws
    {
        let old = server.first
        let new = try server.rotate()
        let pending = try server.addPending()
        try server.tool.ageKeyring("server.jwks", days: 95)
        try server.announce()
        try server.tool.write(server.registration(accepting: [old]) + "\n", to: "devices.ndjson")
        let run = try server.run(
            "check", "--json", "--list", "signers.jws", "--root", "root.jwk", "--recipients",
            "devices.ndjson")
        #expect(run.status == 0, "\(run.errors)")
        let report = try report(run)
        #expect(
            report["path"] == "server.jwks" && report["use"] == "sig" && report["generation"] == 3)
        #expect(report["primary"]?["id"]?.stringValue == "\(new.keyID)")
        #expect(report["primary"]?["ageInDays"] == 95 && report["primary"]?["recipients"] == 0)
        #expect(report["pending"]?.arrayValue?.first?["kid"]?.stringValue == pending.kid)
        #expect(report["retired"]?.arrayValue?.first?["recipients"] == 1)
        #expect(
            report["list"]?["daysLeft"] == 364
                && report["list"]?["rootKid"]?.stringValue == server.root.kid)
        #expect(
            report["list"]?["missing"]?.arrayValue == []
                && report["list"]?["unknown"]?.arrayValue == [])
        #expect(report["recipients"]?["total"] == 1 && report["recipients"]?["unreachable"] == 0)
        #expect(codes(report) == ["pending-overdue", "list-valid", "roots-unnamed", "valid"])
        #expect(run.errors.contains("warning: the pending key \(pending.keyID) is 95 days old"))
    }

    @Test("A warning has its own exit status, only if it is requested") func strict() throws {
        #expect(try server.run("check", "--strict").status == 0)
        try server.addPending()
        try server.tool.ageKeyring("server.jwks", days: 94)
        #expect(try server.run("check", "--strict").status == 0)
        try server.tool.ageKeyring("server.jwks", days: 1)
        #expect(try server.run("check").status == 0)
        #expect(try server.run("check", "--strict").status == 3)
        let report = try report(server.run("check", "--strict", "--json"))
        #expect(codes(report).contains("pending-overdue"))
    }

    @Test("A server that reaches a device with no key has a warning") func unreachable() throws {
        try server.tool.write(
            server.registration(accepting: [server.root]) + "\n", to: "devices.ndjson")
        let run = try server.run("check", "--strict", "--json", "--recipients", "devices.ndjson")
        #expect(run.status == 3)
        let report = try report(run)
        #expect(codes(report).contains("unreachable-recipients"))
        #expect(report["recipients"]?["unreachable"] == 1)
        let other = report["recipients"]?["other"]?.arrayValue?.first
        #expect(other?["kid"]?.stringValue == server.root.kid && other?["recipients"] == 1)
    }

    @Test("A keyring that is older than its copy or than a known generation is an error")
    func olderKeyring() throws {
        try copy(to: "old.jwks")
        try server.addPending()
        for arguments in [["--backup", "server.jwks"], ["--not-older-than", "2"]] {
            let run = try server.tool.run(
                all: ["keys", "check", "--json", "--keyring", "old.jwks"] + arguments)
            #expect(run.status == 65 && run.errors.contains("[older-keyring]"), "\(run.errors)")
            #expect(codes(try report(run)) == ["older-keyring"])
        }
        #expect(try server.run("check", "--not-older-than", "2", "--strict").status == 0)
    }

    @Test("A copy that is older than the keyring, or has other keys, is a warning") func copies()
        throws
    {
        try copy(to: "copy.jwks")
        #expect(try server.run("check", "--strict", "--backup", "copy.jwks").status == 0)
        try server.addPending()
        let older = try server.run("check", "--strict", "--json", "--backup", "copy.jwks")
        #expect(older.status == 3)
        #expect(codes(try report(older)).contains("backup-older"))
        // The copy went another way, and a lower generation doesn't hide it.
        try server.file("copy.jwks").update { (ring) throws(PushCryptError) in
            try ring.addPendingKey(at: Date())
        }
        for _ in 1...2 {
            let other = try server.run("check", "--strict", "--json", "--backup", "copy.jwks")
            #expect(other.status == 3)
            #expect(codes(try report(other)).contains("backup-differs"))
            try server.rotate()
        }
    }

    @Test("A copy that can't be read is named, and is another file") func unreadableCopies() throws
    {
        let missing = try server.run("check", "--backup", "missing.jwks")
        #expect(
            missing.status == 1 && missing.errors.contains("--backup missing.jwks does not"),
            "\(missing.errors)")
        let itself = try server.run("check", "--backup", "server.jwks")
        #expect(
            itself.status == 65 && itself.errors.contains("This is the keyring itself"),
            "\(itself.errors)")
        try server.tool.write(server.first.jwk, to: "public.jwk", mode: 0o644)
        let key = try server.run("check", "--backup", "public.jwk")
        #expect(key.status == 65 && key.errors.contains("This is a public key"), "\(key.errors)")
    }

    @Test("A passphrase for a keyring without one is a warning of the report")
    func uselessPassphrase() throws {
        try server.tool.write("secret", to: "passphrase", mode: 0o600)
        let run = try server.run("check", "--strict", "--json", "--passphrase-file", "passphrase")
        #expect(run.status == 3)
        #expect(codes(try report(run)).first == "useless-passphrase")
        #expect(run.errors.components(separatedBy: "has no passphrase").count == 2)
    }

    @Test("A keyring that can't be used is reported as an object, too") func errors() throws {
        try server.tool.write("x", to: "server.jwks")
        let run = try server.run("check", "--json")
        #expect(run.status == 65)
        let finding = try report(run)["findings"]?.arrayValue?.first
        #expect(finding?["severity"] == "error" && finding?["code"] == "malformed-jwk")
    }
}
