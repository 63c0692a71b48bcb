import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptCLI
@testable import PushCryptKeyring
@testable import PushCryptSender

/// The doctor's steps without APNs: each fault is named by exactly its finding, and sound set-ups
/// have none.
@Suite struct DoctorTests {
    /// A set-up of a server, and the options of the doctor.
    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        let prepare: @Sendable (DoctorSetup) throws -> Void

        init(
            _ description: String, _ arguments: [String] = DoctorSetup.files,
            _ prepare: @escaping @Sendable (DoctorSetup) throws -> Void = { _ in }
        ) {
            testDescription = description
            self.arguments = arguments
            self.prepare = prepare
        }
    }

    /// A set-up with one fault.
    struct Fault: Sendable, CustomTestStringConvertible {
        let rule: Rule
        let setup: Setup

        init(
            _ rule: Rule, _ arguments: [String] = DoctorSetup.files,
            _ prepare: @escaping @Sendable (DoctorSetup) throws -> Void = { _ in }
        ) {
            self.rule = rule
            setup = Setup(rule.id.rawValue, arguments, prepare)
        }

        var testDescription: String { rule.id.rawValue }
    }

    private static func report(_ setup: Setup) throws -> DoctorReport {
        let directory = try DoctorSetup()
        try setup.prepare(directory)
        return try directory.report(setup.arguments)
    }

    @Test("A fault is named by exactly its finding", arguments: Self.faults) func fault(
        fault: Fault
    ) throws {
        let report = try Self.report(fault.setup)
        #expect(report.findings.map(\.rule) == [fault.rule])
        #expect(report.hasErrors == (fault.rule.severity == .error))
    }

    @Test("A sound set-up has no finding", arguments: Self.soundSetups) func sound(setup: Setup)
        throws
    {
        let report = try Self.report(setup)
        #expect(report.findings.isEmpty, "\(report.text)")
        #expect(report.text.contains("keyring: ok: "))
    }

    @Test("There are enough faults and sound set-ups, and the findings have different names")
    func corpus() {
        #expect(Self.faults.count >= 15 && Self.soundSetups.count >= 20)
        #expect(Set(DoctorRule.all.map(\.id)).count == DoctorRule.all.count)
        for rule in DoctorRule.all {
            #expect(rule.message.hasSuffix(".") && rule.fix.hasSuffix("."), "\(rule.id)")
        }
    }
}

extension DoctorTests {
    private static let withList = DoctorSetup.files + DoctorSetup.list

    private static let faults = faultsOfFiles + faultsOfRows

    private static let faultsOfFiles = [
        Fault(DoctorRule.keyringUnreadable) { setup in
            try FileManager.default.removeItem(atPath: setup.tool.path("server.jwks"))
        },
        Fault(DoctorRule.keyringUnreadable) {
            try $0.tool.write("{}", to: "server.jwks", mode: 0o600)
        },
        Fault(DoctorRule.keyringUnreadable) { try $0.tool.setMode(0o644, of: "server.jwks") },
        Fault(DoctorRule.keyringOfDevice) { try $0.write($0.device) },
        Fault(DoctorRule.keyringOld) { try $0.writeKeyring(age: 400) },
        Fault(DoctorRule.clockWrong) { try $0.writeKeyring(age: -1) },
        Fault(DoctorRule.listInvalid, withList) { try $0.tool.write("a.b.c", to: "signers.jws") },
        Fault(DoctorRule.listInvalid, withList),
        Fault(DoctorRule.listExpired, withList) { try $0.writeList(days: -1) },
        Fault(DoctorRule.listExpiresSoon, withList) { try $0.writeList(days: 29) },
        Fault(DoctorRule.listOfOtherRoot, withList) { try $0.writeList(by: $0.signing) },
        Fault(DoctorRule.listAudience, withList + ["--audience", "live"]) {
            try $0.writeList(audience: "test")
        },
        Fault(DoctorRule.listIncomplete, withList) { try $0.writeList([$0.root]) },
        Fault(DoctorRule.listDiffers, withList) { try $0.writeList([$0.signing, $0.root]) },
        Fault(DoctorRule.listDiffers, withList) { setup in
            try setup.writeKeyring(pending: true)
            try setup.writeList()
        },
        Fault(DoctorRule.secretInvalid) { try $0.tool.write("short", to: "secret", mode: 0o600) },
        Fault(DoctorRule.secretInvalid) { try $0.tool.setMode(0o644, of: "secret") },
    ]

    private static let faultsOfRows = [
        Fault(DoctorRule.recipientInvalid) { try $0.tool.write("{}", to: "row.json") },
        Fault(DoctorRule.recipientInvalid) { try $0.tool.write("[", to: "row.json") },
        Fault(DoctorRule.recipientInvalid) { try $0.tool.write("\n", to: "row.json") },
        Fault(DoctorRule.recipientInvalid, ["--recipient-command", "false"]),
        Fault(DoctorRule.recipientInvalid, ["--recipient-command", "/nowhere/program"]),
        Fault(DoctorRule.recipientUnproved) {
            try $0.writeRow($0.row(accepting: [$0.signing.publicKey], isProved: false))
        },
        Fault(DoctorRule.recipientSilent) {
            try $0.writeRow($0.row(accepting: [$0.signing.publicKey], age: 31))
        },
        Fault(DoctorRule.noAcceptedKey) { try $0.writeRow($0.row(accepting: [$0.root.publicKey])) },
        Fault(DoctorRule.clockWrong) { try $0.writeRow($0.row(age: -1)) },
        Fault(DoctorRule.recipientCarrier) { setup in
            let row = try setup.tool.read("row.json")
            try setup.tool.write("{\"carrier\":\"pigeon\"," + row.dropFirst(), to: "row.json")
        },
    ]

    private static let soundSetups = soundFiles + soundLists + soundRows

    private static let soundFiles = [
        Setup("a keyring alone", []),
        Setup("a new keyring", []) { try $0.writeKeyring(age: 0) },
        Setup("a keyring of almost a year", []) { try $0.writeKeyring(age: 365) },
        Setup("a clock four minutes behind", []) { try $0.writeKeyring(age: -0.0027) },
        Setup("a pending key", []) { try $0.writeKeyring(pending: true) },
        Setup("a mounted keyring", ["--mounted"]) { try $0.tool.setMode(0o444, of: "server.jwks") },
        Setup("a secret", ["--challenge-secret", "secret"]),
        Setup("two secrets", ["--challenge-secret", "secret"]) { setup in
            let lines = ["A", "E"].map { String(repeating: $0, count: 43) + "\n" }.joined()
            try setup.tool.write(lines, to: "secret", mode: 0o600)
        },
    ]

    private static let soundLists = [
        Setup("a list", DoctorSetup.list) { try $0.writeList() },
        Setup("a list of 31 days", DoctorSetup.list) { try $0.writeList(days: 31) },
        Setup("a list for an audience", DoctorSetup.list + ["--audience", "live"]) {
            try $0.writeList(audience: "live")
        },
        Setup("a list for any audience", DoctorSetup.list) { try $0.writeList(audience: "live") },
        Setup("a list of the keyring's own key", ["--list", "signers.jws"]) {
            try $0.writeList(by: $0.signing)
        },
        Setup("a list and a row", withList) { try $0.writeList() },
    ]

    private static let soundRows = [
        Setup("a proved row"),
        Setup("a row without accepted keys") { try $0.writeRow($0.row()) },
        Setup("a row that accepts other keys, too") {
            try $0.writeRow($0.row(accepting: [$0.root.publicKey, $0.signing.publicKey]))
        },
        Setup("an unproved row of a server without proofs", ["--recipient", "row.json"]) {
            try $0.writeRow($0.row(isProved: false))
        },
        Setup("a row of 29 days") { try $0.writeRow($0.row(age: 29)) },
        Setup("a row of a second ago") { try $0.writeRow($0.row(age: 0)) },
        Setup("a program that prints the row", ["--recipient-command", "cat row.json"]),
    ]
}

/// The doctor's command line.
@Suite(.toolThreads) struct DoctorCommandTests {
    private let setup: DoctorSetup

    init() throws { setup = try DoctorSetup() }

    private func run(_ arguments: String...) throws -> Tool.Run {
        try setup.tool.run(all: ["doctor", "--keyring", "server.jwks"] + arguments)
    }

    @Test("The report has a line for each step, and a failed step ends with status 65")
    func report() throws {
        let sound = try run("--recipient", "row.json", "--challenge-secret", "secret")
        #expect(sound.status == 0 && sound.errors.isEmpty, "\(sound.errors)")
        let lines = sound.text.split(separator: "\n")
        #expect(
            lines.map { String($0.prefix { $0 != " " }) } == [
                "keyring:", "list:", "secret:", "recipient:", "credentials:",
            ])
        #expect(lines[0] == "keyring: ok: server.jwks, 1 key")
        try setup.tool.write("{}", to: "row.json")
        let failed = try run("--recipient", "row.json")
        #expect(failed.status == 65 && failed.text.contains("recipient: error: "), "\(failed.text)")
        #expect(failed.text.contains("[recipient-invalid]"))
        try setup.writeRow(setup.row(age: 40))
        let warned = try run("--recipient", "row.json")
        #expect(
            warned.status == 0 && warned.text.contains("recipient: warning: "), "\(warned.text)")
    }

    @Test("The report is available as JSON, without secrets") func json() throws {
        let run = try run("--json", "--recipient", "row.json", "--challenge-secret", "secret")
        let report = try JSONValue(parsing: Array(run.output))
        let steps = try #require(report["steps"]?.arrayValue)
        #expect(
            steps.compactMap { $0["result"]?.stringValue } == [
                "ok", "not-checked", "ok", "ok", "not-checked",
            ])
        #expect(!run.text.contains(String(repeating: "A", count: 43)))
        try setup.tool.setMode(0o644, of: "secret")
        let failed = try self.run("--json", "--challenge-secret", "secret")
        let found = try JSONValue(parsing: Array(failed.output))["steps"]?.arrayValue?.compactMap {
            $0["findings"]?.arrayValue?.first?["rule"]?.stringValue
        }
        #expect(failed.status == 65 && found == ["secret-invalid"], "\(failed.text)")
    }

    @Test("Wrong usage ends with status 64") func usage() throws {
        #expect(
            try run("--recipient", "row.json", "--recipient-command", "cat row.json").status == 64)
        #expect(
            try run("--p8", "key.p8").errors.contains(
                "Give '--p8', '--key-id', '--team-id' and '--topic' together"))
        #expect(try run("--recipient-command", " ").status == 64)
        #expect(try run("--wait", "1").status == 64)
    }
}
