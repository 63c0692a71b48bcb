import Foundation
import PushCryptTesting
import TestSupport
import Testing

@Suite(.toolThreads) struct PreviewTests {
    private let tool: Tool
    private let device: String

    init() throws {
        tool = try Tool()
        device = try tool.createDevice().jwk
    }

    private func sealed(_ payload: String) throws -> String {
        try tool.run("seal", "--to", device, "--anonymous", input: payload).text
    }

    private func preview(_ sealed: String, _ options: String...) throws -> Tool.Run {
        try tool.run(
            all: ["preview", "--keyring", "device.jwks", "--anyone"] + options, input: sealed)
    }

    @Test("A keyring is not accepted as a payload") func aKeyringIsNotAPayload() throws {
        let run = try preview(try tool.read("device.jwks"), "--json")
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.errors.contains(" is a key or a keyring"))
    }

    @Test("The text is plain unless the output is a terminal")
    func theTextIsPlainUnlessOnATerminal() throws {
        let run = try preview(
            try sealed(#"{"aps":{"alert":{"title":"Anna","body":"Bis gleich\nam Bahnhof 👋"}}}"#))
        #expect(run.status == 0)
        #expect(run.text == "Anna\nBis gleich\nam Bahnhof 👋\n")
        #expect(run.errors.isEmpty)
    }

    @Test("The JSON has the system's property names") func theJSONHasTheSystemsNames() throws {
        let json = """
            {"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l"},"badge":7,"sound":"default",\
            "thread-id":"th","category":"c","target-content-id":"w","interruption-level":"passive",\
            "relevance-score":0.5,"filter-criteria":"f"},"k":{"n":1}}
            """
        let run = try preview(try sealed(json), "--json")
        #expect(run.status == 0)
        let report = try JSONValue(parsing: Array(run.output))
        #expect(report["outcome"] == .string("opened"))
        #expect(report["reason"] == nil)
        #expect(report["title"] == .string("t"))
        #expect(report["subtitle"] == .string("s"))
        #expect(report["body"] == .string("b"))
        #expect(report["badge"] == 7)
        #expect(report["sound"] == .string("default"))
        #expect(report["threadIdentifier"] == .string("th"))
        #expect(report["categoryIdentifier"] == .string("c"))
        #expect(report["targetContentIdentifier"] == .string("w"))
        #expect(report["interruptionLevel"] == .string("passive"))
        #expect(report["relevanceScore"] == 0.5)
        #expect(report["filterCriteria"] == .string("f"))
        #expect(report["launchImageName"] == .string("l"))
        #expect(report["userInfo"] == (try JSONValue(parsing: Array(json.utf8))))
    }

    @Test("The JSON has no private half of a key from the original") func theJSONHasNoPrivateHalf()
        throws
    {
        // The tool doesn't seal it.
        let json = #"""
            {"aps":{"alert":"a"},"k":{"keys":[{"kty":"OKP","x":"X","d":"SECRET"}]},"r":{"crv":1,"\u0064":["SECRET"]},\#
            "t":"{\"kty\":\"OKP\",\"d\":\"SECRET\"}","p":"-----BEGIN PRIVATE KEY-----\nSECRET","d":1}
            """#
        let push = try Sealer(.anonymous).seal(json: json, for: RecipientPublicKey(parsing: device))
        let run = try preview(String(decoding: push.payload, as: UTF8.self), "--json")
        #expect(run.status == 0 && !run.text.contains("SECRET"), "\(run.text)")
        let shown = try JSONValue(parsing: Array(run.output))["userInfo"]
        #expect(shown?["k"]?["keys"]?.arrayValue == [["kty": "OKP", "x": "X", "d": "(private)"]])
        #expect(
            shown?["r"]?["d"] == "(private)" && shown?["t"] == "(private)"
                && shown?["p"] == "(private)")
        #expect(shown?["d"] == 1)
    }

    @Test("The fallback is printed and the status is 65")
    func theFallbackIsPrintedAndTheStatusIs65() throws {
        let plain = #"{"aps":{"alert":{"title":"evil","body":"evil"}},"k":1}"#
        let run = try preview(plain)
        #expect(run.status == 65)
        #expect(run.text == "(Encrypted)\n")
        #expect(run.errors.contains("pushcrypt: error: ENCRYPTED_DATA is missing."))
        let json = try preview(plain, "--json")
        #expect(json.status == 65)
        let report = try JSONValue(parsing: Array(json.output))
        #expect(report["outcome"] == .string("fallback"))
        #expect(report["reason"] == .string("not-sealed"))
        #expect(report["title"] == .string(""))
        #expect(report["body"] == .string("(Encrypted)"))
        #expect(report["userInfo"] == (try JSONValue(parsing: Array(plain.utf8))))
    }

    @Test("An invalid payload shows the fallback", .thorough)
    func anInvalidPayloadShowsTheFallback() throws {
        for input in ["", "not json", "[]", #"{"aps":{},}"#] {
            let run = try preview(input)
            #expect(run.status == 65)
            #expect(run.text == "(Encrypted)\n")
            let report = try JSONValue(parsing: Array(try preview(input, "--json").output))
            #expect(report["reason"] == .string("malformed-json"))
            #expect(report["userInfo"] == nil)
        }
    }

    @Test("A text cannot control the terminal") func aTextCannotControlTheTerminal() throws {
        let run = try preview(try sealed(#"{"aps":{"alert":"a\u001b[2Jb\u202Ec\u009bd"}}"#))
        #expect(run.text == "a\\u{1B}[2Jb\\u{202E}c\\u{9B}d\n")
    }

    @Test("Keys are looked up in a string table", .thorough) func keysAreLookedUpInAStringTable()
        throws
    {
        try tool.write(
            #""T" = "Nachricht von %@"; "B" = "%1$@ %n %2$@ 100 %%"; "P" = "100 %%";"#,
            to: "de.strings")
        let payload = try sealed(
            #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["%@\u001b"],"subtitle-loc-key":"P","loc-key":"B","loc-args":["a"]}}}"#
        )
        let run = try preview(payload, "--strings", "de.strings")
        #expect(run.status == 0)
        #expect(run.text == "Nachricht von %@\\u{1B}\n100 %%\na %n %2$@ 100 %\n")
        #expect(try preview(payload).text == "T\nP\nB\n")
        let report = try JSONValue(
            parsing: Array(try preview(payload, "--strings", "de.strings", "--json").output))
        #expect(report["title"] == "Nachricht von %@\u{1B}")
        #expect(report["userInfo"]?["aps"]?["alert"]?["loc-key"] == "B")
    }

    @Test("The fallback is not looked up") func theFallbackIsNotLookedUp() throws {
        try tool.write(#""(Encrypted)" = "evil"; "B" = "evil";"#, to: "evil.strings")
        let run = try preview(#"{"aps":{"alert":{"loc-key":"B"}}}"#, "--strings", "evil.strings")
        #expect(run.status == 65)
        #expect(run.text == "(Encrypted)\n")
    }

    @Test("A keyring is not accepted as a string table") func aKeyringIsNotAStringTable() throws {
        let run = try preview("{}", "--strings", "device.jwks")
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.errors.contains("device.jwks is a key or a keyring"), "\(run.errors)")
    }

    @Test("A string table is given as a file", arguments: ["", #"{"kty":"OKP","d":"SECRET"}"#])
    func aStringTableIsAFile(argument: String) throws {
        let run = try preview("{}", "--strings", argument)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(!run.errors.contains("SECRET"))
    }

    @Test(
        "On a terminal a lock screen is drawn", .terminal,
        arguments: [(nil, 48), (30, 30), (20, 20), (5, 20)])
    func onATerminalALockScreenIsDrawn(columns: Int?, width: Int) throws {
        try tool.write(
            try sealed(
                #"{"aps":{"alert":{"title":"Anna","body":"日本語 and a longer text that has to be wrapped twice"}}}"#
            ),
            to: "sealed.json")
        let shown = try tool.runOnTerminal(
            "'\(try Tool.executable.path)' preview --keyring device.jwks --anyone sealed.json",
            columns: columns)
        let lines = shown.split(whereSeparator: \.isNewline)
        #expect(lines.prefix(2) == ["┃ YOUR APP", "┃ Anna"])
        #expect(lines.allSatisfy { $0.hasPrefix("┃ ") && $0.count <= width })
        let text = lines.dropFirst(2).map { $0.dropFirst(2) }.joined(separator: " ")
        #expect(text == "日本語 and a longer text that has to be wrapped twice")
    }
}
