import Foundation
import PushCryptLint
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptCLI

/// Keys of an alert, against the app's string table.
@Suite(.toolThreads, .thorough) struct LintStringsTests {
    private let tool: Tool

    private static let table = """
        /* Pushes */
        "NAME" = "From %@";
        "TWO" = "%2$@ %1$@";
        "NONE" = "Hello";
        "PERCENT" = "100 %%";
        """

    init() throws {
        tool = try Tool()
        try tool.write(Self.table, to: "Localizable.strings")
    }

    /// Returns the lines that `lint` prints, without a process.
    private func findings(_ alert: String) throws -> String {
        let strings = try DictionaryStringTable(parsing: Array(Self.table.utf8))
        return LintReport.text(
            try Sealer(.anonymous).lint(
                json: #"{"aps":{"alert":\#(alert)}}"#.utf8, strings: strings
            ).findings)
    }

    private func lint(_ alert: String, _ options: String...) throws -> Tool.Run {
        try tool.run(
            all: ["lint", "--strings", "Localizable.strings"] + options,
            input: #"{"aps":{"alert":\#(alert)}}"#)
    }

    @Test(
        "Keys in the string table give no finding",
        arguments: [
            #""plain""#, #"{"body":"b"}"#, #"{"loc-key":"NONE"}"#, #"{"loc-key":"PERCENT"}"#,
            #"{"loc-key":"NAME","loc-args":["Anna"]}"#,
            #"{"title-loc-key":"TWO","title-loc-args":["a","b"],"subtitle-loc-key":"NAME","subtitle-loc-args":["c"]}"#,
        ])
    func keysInTheTableGiveNoFinding(alert: String) throws {
        #expect(try findings(alert).isEmpty)
    }

    @Test("A string catalog is a table, too") func stringCatalog() throws {
        let catalog = #"""
            {"sourceLanguage":"en","version":"1.0","strings":{"NAME":{"localizations":{"en":{"stringUnit":
            {"state":"translated","value":"From %@"}}}}}}
            """#
        try tool.write(catalog, to: "Localizable.xcstrings")
        func lint(_ alert: String) throws -> Tool.Run {
            try tool.run(
                "lint", "--strings", "Localizable.xcstrings", input: #"{"aps":{"alert":\#(alert)}}"#
            )
        }
        #expect(try lint(#"{"loc-key":"NAME","loc-args":["Anna"]}"#).status == 0)
        #expect(try lint(#"{"loc-key":"NAME"}"#).text.contains("0 of 1"))
        #expect(try lint(#"{"loc-key":"OTHER"}"#).status == 65)
    }

    @Test(
        "Too few arguments are counted",
        arguments: [
            ("loc-key", "loc-args", "NAME", "[]", "0 of 1"),
            ("loc-key", "loc-args", "TWO", #"["a"]"#, "1 of 2"),
            ("title-loc-key", "title-loc-args", "NAME", nil, "0 of 1"),
            ("subtitle-loc-key", "subtitle-loc-args", "TWO", #"["secret"]"#, "1 of 2"),
        ] as [(String, String, String, String?, String)])
    func tooFewArgumentsAreCounted(
        key: String, arguments: String, name: String, values: String?, counts: String
    ) throws {
        let given = values.map { #","\#(arguments)":\#($0)"# } ?? ""
        let text = try findings(#"{"body":"b","\#(key)":"\#(name)"\#(given)}"#)
        #expect(text.hasPrefix("error: aps.alert.\(arguments): "))
        #expect(text.contains("(\(counts))"))
        #expect(text.hasSuffix("[loc-args-too-few]"))
        #expect(!text.contains("secret"))
    }

    @Test(
        "A missing key of the string table is reported with its location",
        arguments: ["loc-key", "title-loc-key", "subtitle-loc-key"])
    func aMissingKeyIsReportedWithItsLocation(key: String) throws {
        for name in ["secret", "name", ""] {
            let text = try findings(#"{"body":"b","\#(key)":"\#(name)"}"#)
            #expect(text.hasPrefix("error: aps.alert.\(key): "))
            #expect(text.hasSuffix("[loc-key-unknown]"))
            #expect(!text.contains("secret"))
        }
        // Without a table, the number of arguments is unknown.
        let run = try tool.run("lint", input: #"{"aps":{"alert":{"\#(key)":"secret"}}}"#)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
    }

    @Test("Arguments without a key are a warning") func argumentsWithoutAKeyAreAWarning() throws {
        let run = try lint(#"{"body":"b","title-loc-args":["a"]}"#)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("warning: aps.alert.title-loc-args: "))
        #expect(run.text.hasSuffix("[loc-args-without-key]\n"))
    }

    @Test("A UTF-16 file is read") func aUTF16FileIsRead() throws {
        let text = try #require(#""K" = "%@";"#.data(using: .utf16))
        try text.write(to: tool.directory.appendingPathComponent("utf16.strings"))
        let run = try tool.run(
            "lint", "--strings", "utf16.strings", input: #"{"aps":{"alert":{"loc-key":"K"}}}"#)
        #expect(run.text.contains("(0 of 1)"))
    }

    @Test(
        "A malformed strings file is named",
        arguments: [
            ("\"a\" = ", "in line 1"), ("not strings", "in line 1"), ("{", "in line 1"),
            ("/*", "in line 1"),
            (#""a" = "1"; "a" = "2";"#, "more than once"),
            ("\u{0}\u{1}\u{FFFF}", "isn't valid text"),
        ])
    func aMalformedFileIsNamed(contents: String, reason: String) throws {
        try tool.write(contents, to: "broken.strings")
        let error = #expect(throws: PushCryptError.self) {
            try Input.strings(tool.path("broken.strings"))
        }
        #expect(error?.code == .malformedStrings)
        #expect(error?.reason.hasPrefix(tool.path("broken.strings") + ": ") == true)
        #expect(error?.reason.contains(reason) == true)
    }

    @Test("lint and preview end with status 65 for a malformed strings file")
    func aMalformedFileIs65() throws {
        try tool.write("not strings", to: "broken.strings")
        for command in [["lint"], ["preview", "--anyone"]] {
            let run = try tool.run(
                all: command + ["--strings", "broken.strings"], input: #"{"aps":{"alert":"a"}}"#)
            #expect(run.status == 65 && run.output.isEmpty)
            #expect(run.errors.hasPrefix("pushcrypt: error: broken.strings: "))
            #expect(run.errors.hasSuffix("[malformed-strings]\n"))
        }
    }

    @Test("A missing file ends with status 1", arguments: ["missing.strings", "."])
    func aMissingFileIs1(name: String) throws {
        for arguments in [["lint"], ["preview", "--anyone"]] {
            let run = try tool.run(
                all: arguments + ["--strings", name], input: #"{"aps":{"alert":"a"}}"#)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(name))
        }
    }

    @Test("The keys of the placeholder are looked up too") func theKeysOfThePlaceholderAreLookedUp()
        throws
    {
        let missing = try lint(#""a""#, "--placeholder-loc-key", "MISSING")
        #expect(missing.status == 65)
        #expect(
            missing.text.hasPrefix(
                "error: the placeholder's body: The key isn't in the string table"))
        let argument = try lint(#""a""#, "--placeholder-title-loc-key", "NAME")
        #expect(
            argument.text.hasPrefix(
                "error: the placeholder's title: The string in the string table needs more"))
        #expect(argument.text.contains("(0 of 1)"))
        #expect(try lint(#""a""#, "--placeholder-loc-key", "NONE").status == 0)
    }
}
