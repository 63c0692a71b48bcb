import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI
@testable import PushCryptLint

@Suite(.toolThreads) struct LintTests {
    /// A finding, as one of the outputs has it.
    private struct Found: Hashable, CustomStringConvertible {
        let severity: String
        let place: String
        let rule: String

        var description: String { "\(severity): \(place) [\(rule)]" }
    }

    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private func lint(_ payload: String, _ options: String...) throws -> Tool.Run {
        try tool.run(all: ["lint"] + options, input: payload)
    }

    /// The findings in the lines of a run, each with its fix.
    private func findings(_ run: Tool.Run) throws -> [Found] {
        try run.text.split(separator: "\n").map { line in
            let parts = line.split(separator: ": ", maxSplits: 2).map(String.init)
            let id = try #require(line.split(separator: "[").last?.dropLast()).description
            let rule = try #require(Rule.all.first { $0.id.rawValue == id })
            // These rules have a fix for each location.
            #expect(id.hasPrefix("clear-") || line.hasSuffix(". \(rule.fix) [\(id)]"))
            #expect(line.hasSuffix(". [\(id)]"))
            #expect(line.contains(": \(rule.message.dropLast())"))
            return Found(
                severity: try #require(parts.first), place: try #require(parts.dropFirst().first),
                rule: id)
        }
    }

    /// Returns the rules that a payload breaks, without a process.
    private func rules(_ payload: String, _ type: PushType = .alert) throws -> [String] {
        try Sealer(.anonymous).lint(json: payload.utf8, headers: APNsHeaders(type)).findings.map(
            \.rule.id.rawValue)
    }

    private static let fine = #"{"aps":{"alert":{"title":"t","body":"b"}},"k":1}"#

    /// Ten rules are broken here, each once.
    private static let faulty = """
        {"aps":{"alert":{"title":5,"body":"b","action-loc-key":"x"},"badge":-1,"sound":{"name":"a","volume":2},\
        "relevance-score":7,"interruption-level":"urgent","mutable-content":true,"foo":1,"category":null}}
        """
    private static let tenFindings = [
        Found(severity: "error", place: "aps.alert.title", rule: "wrong-type"),
        Found(severity: "error", place: "aps.badge", rule: "badge-range"),
        Found(severity: "error", place: "aps.sound.volume", rule: "volume-range"),
        Found(severity: "error", place: "aps.relevance-score", rule: "relevance-range"),
        Found(
            severity: "error", place: "aps.interruption-level", rule: "unknown-interruption-level"),
        Found(severity: "warning", place: "aps.mutable-content", rule: "flag-boolean"),
        Found(severity: "warning", place: "aps.foo", rule: "unknown-key"),
        Found(severity: "warning", place: "aps.alert.action-loc-key", rule: "deprecated-key"),
        Found(severity: "warning", place: "aps.sound", rule: "sound-not-critical"),
        Found(severity: "warning", place: "aps.category", rule: "null-value"),
    ]

    // MARK: What is printed

    @Test("Ten mistakes are all reported with their locations") func tenMistakesAreAllReported()
        throws
    {
        let run = try lint(Self.faulty)
        #expect(run.status == 65)
        let found = try findings(run)
        #expect(Set(found) == Set(Self.tenFindings))
        #expect(found.count == 10)
        #expect(found.map(\.severity) == found.map(\.severity).sorted(), "The worst come first.")
        #expect(run.errors.hasPrefix("pushcrypt: hint: 5 errors, 5 warnings, 0 notes; "))
        #expect(!run.text.contains("urgent"), "Values are not repeated.")
    }

    @Test("Warnings alone leave the status 0") func warningsAloneLeaveTheStatus0() throws {
        let run = try lint(#"{"aps":{"alert":"a","foo":1},"k":null}"#)
        #expect(run.status == 0)
        #expect(
            try findings(run) == [
                Found(severity: "warning", place: "aps.foo", rule: "unknown-key"),
                Found(severity: "warning", place: "k", rule: "null-value"),
            ])
        #expect(run.errors.hasPrefix("pushcrypt: hint: 0 errors, 2 warnings, 0 notes; "))
    }

    @Test("Notes alone leave the status 0") func notesAloneLeaveTheStatus0() throws {
        let run = try lint(
            #"{"aps":{"event":"update","timestamp":1764000000,"content-state":{},"alert":{"title":"a"}}}"#,
            "--type",
            "liveactivity")
        #expect(run.status == 0)
        #expect(
            try findings(run) == [
                Found(
                    severity: "note", place: "aps.alert.title", rule: "live-activity-alert-replaced"
                )
            ])
        #expect(run.errors.hasPrefix("pushcrypt: hint: 0 errors, 0 warnings, 1 note; "))
    }

    @Test("Nothing is printed if there is no finding") func nothingIsPrintedWithoutAFinding() throws
    {
        let run = try lint(Self.fine)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                pushcrypt: hint: 0 errors, 0 warnings, 0 notes; checked as an original to be \
                sealed: \(Self.fine.utf8.count) bytes, \(2851 - Self.fine.utf8.count) bytes left\n
                """)
    }

    @Test("White space of an original does not count") func whiteSpaceOfAnOriginalDoesNotCount()
        throws
    {
        let run = try lint("\n{ \"aps\" : {\"alert\" : \"a\"} }\n")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(": 21 bytes, 2830 bytes left"))
    }

    @Test("The report is available as JSON") func theReportIsAvailableAsJSON() throws {
        let run = try lint(Self.faulty, "--json")
        #expect(run.status == 65)
        #expect(run.errors.isEmpty)
        let report = try JSONValue(parsing: Array(run.output))
        #expect(
            Set(try #require(report.objectValue).keys) == [
                "type", "checkedAs", "bytes", "limit", "findings", "omitted", "budget",
            ])
        #expect(report["type"] == "alert")
        #expect(report["checkedAs"] == "original")
        #expect(report["bytes"] == .number(JSONNumber(Self.faulty.utf8.count)))
        #expect(report["limit"] == 4096)
        let findings = try #require(report["findings"]?.arrayValue)
        let found = findings.map { finding in
            Found(
                severity: finding["severity"]?.stringValue ?? "",
                place: finding["location"]?.stringValue ?? "",
                rule: finding["rule"]?.stringValue ?? "")
        }
        #expect(Set(found) == Set(Self.tenFindings))
        for finding in findings {
            let rule = try #require(Rule.all.first { .string($0.id.rawValue) == finding["rule"] })
            let place = try #require(finding["location"]?.stringValue)
            #expect(finding["fix"] == .string(rule.fix))
            #expect(
                finding["message"]?.stringValue?.hasPrefix("\(place): \(rule.message.dropLast())")
                    == true)
            #expect(finding["pointer"] == .string("/" + place.replacing(".", with: "/")))
        }
        #expect(report["budget"]?["capacity"] == 2851)
        #expect(report["budget"]?["used"] == .number(JSONNumber(Self.faulty.utf8.count)))
        #expect(
            report["budget"]?["remaining"] == .number(JSONNumber(2851 - Self.faulty.utf8.count)))
        let members = try #require(report["budget"]?["members"]?.arrayValue)
        #expect(members.contains(["location": "aps.sound", "bytes": 31]))
        #expect(members.count == 10)
    }

    @Test("The report of a valid payload has no findings") func aValidPayloadHasNoFindings() throws
    {
        let run = try lint(Self.fine, "--json")
        #expect(run.status == 0)
        #expect(try JSONValue(parsing: Array(run.output))["findings"] == [])
    }

    @Test("Pointers are escaped according to RFC 6901") func pointersAreEscaped() throws {
        let run = try lint(
            #"{"aps":{"alert":"a"},"a/b":{"~c":[0,{"":null}]},"é d":null}"#, "--json")
        let findings = try #require(
            try JSONValue(parsing: Array(run.output))["findings"]?.arrayValue)
        #expect(findings.map { $0["pointer"] } == ["/a~1b/~0c/1/", "/é d"])
        #expect(findings.map { $0["location"] } == [#"["a/b"].["~c"].1.[""]"#, #"["é d"]"#])
    }

    @Test("The report may go into a file") func theReportMayGoIntoAFile() throws {
        let run = try lint(Self.faulty, "-o", "report.txt")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(try tool.read("report.txt").split(separator: "\n").count == 10)
        let json = try lint(Self.fine, "--json", "--output", "report.json")
        #expect(json.status == 0)
        #expect(try JSONValue(parsing: Array(tool.read("report.json").utf8))["findings"] == [])
    }

    @Test("The input may be a file") func theInputMayBeAFile() throws {
        try tool.write(Self.faulty, to: "payload.json")
        #expect(try findings(tool.run("lint", "payload.json")).count == 10)
        #expect(try tool.run("lint", "missing.json").status == 1)
    }

    @Test(
        "Input that is not strict JSON is an error", .thorough,
        arguments: [
            "", "x", "[]", #"{"aps":{},}"#, #"{"aps":{},"aps":{}}"#, "{\"aps\":\"\u{1B}\"}",
        ])
    func inputThatIsNotStrictJSONIsAnError(payload: String) throws {
        let run = try lint(payload, "--json")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("[malformed-json]"))
    }

    @Test("The table of rules is printed in Markdown and JSON")
    func theRulesArePrinted() throws {
        let run = try tool.run("lint", "--rules")
        #expect(run.status == 0 && run.errors.isEmpty)
        let rows = Rule.all.map {
            "| `\($0.id)` | \($0.severity.rawValue) | \($0.message) | \($0.fix) |\n"
        }
        #expect(run.text.hasSuffix("|---|---|---|---|\n" + rows.joined()))
        let json = try JSONValue(parsing: Array(try tool.run("lint", "--rules", "--json").output))
        let rules = try #require(json["rules"]?.arrayValue)
        #expect(rules.map { $0["rule"] } == Rule.all.map { .string($0.id.rawValue) })
        #expect(rules.first?["fix"]?.stringValue == Rule.all.first?.fix)
    }

    // MARK: Names from outside

    @Test("A name cannot control the terminal or imitate another line")
    func aNameCannotControlTheTerminal() throws {
        let payload = """
            {"aps":{"alert":"a","\\u001b[2J\\u0007":1,"x\\nerror: aps: fake \
            [wrong-type]":1,"\u{202E}\u{2066}":1,"\u{9B}2J":1,\
            "\\r":1,"\u{7F}":1,"\u{2028}\u{200B}\u{FEFF}":1},"\\u001b]0;t\\u0007":null}
            """
        let run = try lint(payload)
        #expect(run.status == 0)
        #expect(run.text.split(separator: "\n", omittingEmptySubsequences: false).count == 9)
        #expect(!run.text.contains("\nerror"))
        #expect(run.text.contains(#"aps.["\u001b[2J\u0007"]: "#))
        #expect(run.text.contains(#"aps.["x\nerror: aps: fake [wrong-type]"]: "#))
        let json = try lint(payload, "--json")
        for text in [run.text, run.errors, json.text, json.errors] {
            for scalar in text.unicodeScalars where scalar != "\n" {
                #expect(
                    scalar.properties.generalCategory != .control
                        && scalar.properties.generalCategory != .format
                        && scalar.properties.generalCategory != .lineSeparator,
                    "\(scalar.debugDescription)")
            }
        }
        let pointers = try #require(
            try JSONValue(parsing: Array(json.output))["findings"]?.arrayValue
        )
        .compactMap { $0["pointer"]?.stringValue }
        #expect(pointers.contains("/aps/\u{1B}[2J\u{7}"))
        #expect(pointers.contains("/\u{1B}]0;t\u{7}"))
    }

    @Test("A keyring is not printed") func aKeyringIsNotPrinted() throws {
        try tool.createDevice()
        let secret = try #require(
            try tool.read("device.jwks").components(separatedBy: #""d":""#).last?.prefix(43))
        for options in [[], ["--json"], ["--type", "liveactivity"]] {
            let run = try tool.run(all: ["lint", "device.jwks"] + options)
            #expect(run.status == 65)
            #expect(!run.text.contains(secret))
            #expect(!run.errors.contains(secret))
        }
    }

    // MARK: Push types

    @Test(
        "Every push type has its own rules",
        arguments: [
            ("alert", #"{"aps":{"alert":"a"}}"#, [String]()),
            ("alert", #"{"aps":{}}"#, ["no-alert-text"]),
            ("alert", "{}", ["aps-missing"]),
            ("background", #"{"aps":{"content-available":1}}"#, []),
            (
                "background", #"{"aps":{"alert":"a","badge":1}}"#,
                [
                    "content-available-missing", "background-with-alert", "background-with-alert",
                ]
            ),
            ("location", "{}", []), ("location", #"{"aps":1}"#, ["aps-not-dictionary"]),
            ("pushtotalk", "{}", []),
            ("widgets", #"{"aps":{"content-changed":true}}"#, ["not-sealable"]),
            (
                "controls", #"{"aps":{},"k":1}"#,
                ["member-missing", "member-ignored", "not-sealable"]
            ),
            ("complication", #"{"k":1}"#, ["not-sealable"]),
            ("mdm", "{}", ["member-missing", "not-sealable"]),
            ("fileprovider", "{}", ["member-missing", "not-sealable"]),
            ("voip", "{}", []), ("voip", #"{"aps":{},"call":1}"#, []),
            ("voip", #"{"aps":1}"#, ["aps-not-dictionary"]),
            (
                "liveactivity", #"{"aps":{"event":"end","timestamp":1764000000}}"#,
                ["content-state-missing"]
            ),
            (
                "liveactivity",
                #"{"aps":{"event":"end","timestamp":1764000000,"content-state":{}}}"#, []
            ),
            (
                "liveactivity", #"{"aps":{},"k":1}"#,
                [
                    "live-activity-custom-key", "event-missing", "timestamp-missing",
                    "content-state-missing",
                ]
            ),
        ])
    func everyPushTypeHasItsOwnRules(type: String, payload: String, errors: [String]) throws {
        #expect(try rules(payload, #require(PushType(rawValue: type))) == errors)
    }

    @Test("A channel makes a Live Activity push a broadcast") func aChannelMakesABroadcast() throws
    {
        let state = String(repeating: "x", count: 5000)
        let payload =
            #"{"aps":{"event":"update","timestamp":1764000000,"content-state":{"k":"\#(state)"}}}"#
        #expect(try lint(payload, "--type", "liveactivity").status == 65)
        let run = try lint(payload, "--type", "liveactivity", "--channel-id", "dHN0")
        #expect(run.status == 0 && run.text.contains("[not-sealable]"))
        #expect(run.errors.contains("checked as an original that cannot be sealed"))
        #expect(try lint("{}", "--channel-id", "dHN0").errors.contains("[invalid-header]"))
    }

    @Test(
        "The push type decides about rules and size",
        arguments: [("voip", 0, 5120), ("liveactivity", 65, 4096)])
    func thePushTypeDecides(type: String, status: Int32, limit: JSONValue) throws {
        let run = try lint("{}", "--type", type, "--json")
        #expect(run.status == status)
        let report = try JSONValue(parsing: Array(run.output))
        #expect(report["type"] == .string(type))
        #expect(report["limit"] == limit)
    }

    // MARK: Sealed payloads

    private func sealed(_ placeholder: Placeholder = .standard) throws -> String {
        let push = try Sealer(.anonymous, placeholder: placeholder)
            .seal(json: Self.fine.utf8, for: TestKeys.device().publicKey)
        return String(decoding: push.payload, as: UTF8.self)
    }

    @Test("A sealed payload is checked as sealed") func aSealedPayloadIsCheckedAsSealed() throws {
        let payload = try sealed()
        let run = try lint(payload)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasSuffix("; checked as sealed: \(payload.utf8.count) of 4096 bytes\n"))
        let report = try JSONValue(parsing: Array(try lint(payload, "--json").output))
        #expect(report["checkedAs"] == "sealed")
        #expect(report["budget"] == nil)
        #expect(report["bytes"] == .number(JSONNumber(payload.utf8.count)))
    }

    @Test("An alert may be a string in an original, but not beside a sealed value")
    func anAlertMayBeAStringInAnOriginal() throws {
        let bare = try sealed().replacing(#"{"body":"(Encrypted)"}"#, with: #""(Encrypted)""#)
        #expect(try rules(bare) == ["alert-not-dictionary"])
        #expect(try rules(#"{"aps":{"alert":"a"}}"#) == [])
    }

    @Test("A sealed payload must run the extension") func aSealedPayloadMustRunTheExtension() throws
    {
        let payload = try sealed()
        #expect(
            try rules(payload.replacing(#","mutable-content":1"#, with: "")) == [
                "mutable-content-missing"
            ])
        #expect(
            try rules(payload.replacing(#""mutable-content":1"#, with: #""mutable-content":0"#))
                == [
                    "mutable-content-missing"
                ])
        #expect(
            try rules(payload.replacing(#""body":"(Encrypted)""#, with: #""body":"""#)) == [
                "no-alert-text"
            ])
        // An original needs no mutable-content.
        #expect(try rules(Self.fine) == [])
    }

    @Test("White space of a sealed payload counts") func whiteSpaceOfASealedPayloadCounts() throws {
        let run = try lint(try sealed().replacing(#","ENCRYPTED"#, with: " ,\n\t\"ENCRYPTED"))
        #expect(run.status == 0)
        #expect(
            try findings(run) == [
                Found(severity: "warning", place: "the payload", rule: "needless-whitespace")
            ])
        #expect(run.text.contains("(3 bytes)"))
        // A line break at the end of a file doesn't count.
        #expect(try rules(try sealed() + "\n") == [])
    }

    @Test(
        "A sealed value must be valid and in its location",
        arguments: [
            (#""ENCRYPTED_DATA":""#, #""ENCRYPTED_DATA":"="#, ["sealed-value-malformed"]),
            (#""ENCRYPTED_DATA":"A"#, #""ENCRYPTED_DATA":"B"#, ["sealed-value-malformed"]),
            (#""ENCRYPTED_DATA":""#, #""ENCRYPTED_DATA":1,"k":""#, ["sealed-value-malformed"]),
            (#"{"aps":{"#, #"{"aps":{"ENCRYPTED_DATA":"x","#, ["sealed-value-misplaced"]),
        ])
    func aSealedValueIsValidAndInItsLocation(old: String, new: String, errors: [String]) throws {
        #expect(try rules(try sealed().replacing(old, with: new)) == errors)
    }

    @Test("A sealed payload is measured as it is") func aSealedPayloadIsMeasuredAsItIs() throws {
        let long = try sealed(Placeholder(body: .text(String(repeating: "a ", count: 1900))))
        #expect(long.utf8.count > 4096 - 300)
        let tooLong = long.replacing(#""a a "#, with: #""\#(String(repeating: "a", count: 4096))"#)
        let run = try lint(tooLong)
        #expect(run.status == 65)
        #expect(
            try findings(run).contains(
                Found(severity: "error", place: "the payload", rule: "payload-size")))
        #expect(run.text.contains("(\(tooLong.utf8.count - 4096) too many)"))
        #expect(!(try rules(tooLong, .voip)).contains("mutable-content-missing"))
    }

    // MARK: What an original is sealed with

    private func capacity(_ options: String...) throws -> Int? {
        let payload = #"{"aps":{"alert":"a","thread-id":"red","badge":1}}"#
        let run = try tool.run(all: ["lint", "--json"] + options, input: payload)
        return try JSONValue(parsing: Array(run.output))["budget"]?["capacity"]?.intValue
    }

    @Test("The budget is the one of a sealer with the same options", .thorough)
    func theBudgetIsTheSealers() throws {
        #expect(try capacity() == 2851)
        #expect(try capacity("--anonymous") == 2851 + 72)
        // As many as fit into the base64url of what is exposed: ,"thread-id":"red" and ,"badge":1
        let thread = try #require(try capacity("--expose", "thread-id"))
        #expect(thread == 2851 - 14 || thread == 2851 - 13)
        #expect(
            try capacity("--expose", "thread-id,badge")
                == capacity("--expose", "thread-id", "--expose", "badge"))
        #expect(try #require(try capacity("--expose", "thread-id,badge")) < thread)
        #expect(try #require(try capacity("--placeholder-title", "Title")) < 2851)
        #expect(
            try capacity("--placeholder-loc-key", "(Encrypted)")
                == capacity("--placeholder-body", "(Encrypted)xxx"),
            "A key's name is three letters longer than body.")
    }

    @Test("An original that is too long is measured as sealed") func anOriginalIsMeasuredAsSealed()
        throws
    {
        let fits = #"{"aps":{"alert":"\#(String(repeating: "a ", count: 1415))a"}}"#
        #expect(fits.utf8.count == 2851 - 1 || fits.utf8.count == 2851)
        #expect(try lint(fits).status == 0)
        let tooLong = fits.replacing(#""a a"#, with: #""aaa a a a"#)
        let run = try lint(tooLong)
        #expect(run.status == 65)
        #expect(
            try findings(run) == [
                Found(severity: "error", place: "the payload", rule: "payload-size")
            ])
        #expect(run.text.contains("(\(tooLong.utf8.count - 2851) too many, sealed)"))
        #expect(run.errors.contains("\(tooLong.utf8.count - 2851) bytes too many"))
        #expect(try lint(tooLong, "--anonymous").status == 0)
    }

    @Test("A collapse ID is checked", .thorough) func aCollapseIDIsChecked() throws {
        #expect(try lint(Self.fine, "--collapse-id", "k7Qz").status == 0)
        for id in ["", "a b", "ü", String(repeating: "x", count: 65), "a\u{1B}"] {
            let run = try lint(Self.fine, "--collapse-id", id)
            #expect(run.status == 64, "\(id)")
            #expect(run.errors.contains("[invalid-header]"))
            #expect(run.output.isEmpty)
        }
    }

    // MARK: Usage

    @Test(
        "Wrong usage ends with status 64", .thorough,
        arguments: LongRun.cases(
            [
                ["--type", "bogus"], ["--expose", "bogus"], ["--expose", "badge,bogus"],
                ["--bogus"],
                ["a.json", "b.json"],
                ["--strings", ""], ["--info-plist", ""],
                ["--strings", #"{"kty":"OKP","d":"SECRET"}"#],
                ["--info-plist", #"{"kty":"OKP","d":"SECRET"}"#], ["--placeholder-body", ""],
                ["--placeholder-body", "b", "--placeholder-loc-key", "B"],
                ["--placeholder-title", "t", "--placeholder-title-loc-key", "T"],
                ["--placeholder-body", "s", "--placeholder-loc-key", "S"], ["--collapse-id"],
                ["-o", ""],
            ], usually: 3))
    func wrongUsageIs64(arguments: [String]) throws {
        let run = try tool.run(all: ["lint"] + arguments, input: Self.fine)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("pushcrypt: error: "))
        #expect(!run.errors.contains("SECRET"))
    }

    @Test("Named rules are ignored", .thorough) func namedRulesAreIgnored() throws {
        let json = #"{"aps":{"alert":"a","interruption-level":"whisper","relevance-score":2}}"#
        #expect(try lint(json).status == 65)
        let run = try lint(json, "--ignore", "unknown-interruption-level,relevance-range")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(
            try lint(json, "--ignore", "unknown-interruption-level", "--ignore", "relevance-range")
                .status == 0)
        let unknown = try lint(json, "--ignore", "no-such-rule")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("'no-such-rule' is invalid for '--ignore <rule>'"))
        try tool.createDevice()
        let seal = ["seal", "--to", "device.jwk", "--anonymous"]
        #expect(try tool.run(all: seal, input: json).status == 65)
        #expect(
            try tool.run(
                all: seal + ["--ignore", "unknown-interruption-level,relevance-range"], input: json
            ).status
                == 0)
    }

    @Test("A file of an earlier run is replaced when nothing is found")
    func aFileOfAnEarlierRunIsReplacedWhenNothingIsFound() throws {
        #expect(try lint(#"{"aps":{"alert":"a","badge":-1}}"#, "-o", "findings.txt").status == 65)
        #expect(try tool.read("findings.txt").contains("[badge-range]"))
        #expect(try lint(#"{"aps":{"alert":"a"}}"#, "-o", "findings.txt").status == 0)
        #expect(try tool.read("findings.txt").isEmpty)
    }
}
