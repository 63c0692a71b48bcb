import Foundation
import PushCryptTesting
import TestSupport
import Testing

@Suite(.toolThreads) struct InspectTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    private func sealed() throws -> SealedPush {
        try Sealer(.anonymous, exposedKeys: [.badge])
            .seal(
                json: #"{"aps":{"alert":"secret","badge":3}}"#.utf8,
                for: TestKeys.device().publicKey)
    }

    @Test("All readable values are listed") func allReadableValuesAreListed() throws {
        let push = try sealed()
        let run = try tool.run("inspect", input: String(decoding: push.payload, as: UTF8.self))
        #expect(run.status == 0)
        for text in [
            #"aps.alert.body       "(Encrypted)""#, "aps.badge            3",
            "aps.mutable-content  1",
            "version   1", "key id    \(try TestKeys.device().publicKey.keyID)",
            "envelope  313 bytes",
            "message   256 bytes, padding included", "\(push.payload.count) bytes",
            "limit    4096 bytes",
            "left     \(4096 - push.payload.count) bytes",
        ] {
            #expect(run.text.contains(text), "\(text)")
        }
        #expect(!run.text.contains("secret"))
    }

    @Test("The report is available as JSON") func theReportIsAvailableAsJSON() throws {
        let push = try sealed()
        let run = try tool.run(
            "inspect", "--json", "--type", "voip",
            input: String(decoding: push.payload, as: UTF8.self))
        let report = try JSONValue(parsing: Array(run.output))
        let sealed = report["sealed"]?.arrayValue?.first
        #expect(sealed?["location"] == .string("ENCRYPTED_DATA"))
        #expect(sealed?["version"] == 1)
        #expect(sealed?["keyID"] == .string(try TestKeys.device().publicKey.keyID.description))
        #expect(sealed?["messageBytes"] == 256)
        #expect(report["visible"]?["aps"]?["badge"] == 3)
        #expect(report["visible"]?["ENCRYPTED_DATA"] == nil)
        #expect(report["size"]?["limit"] == 5120)
        #expect(report["size"]?["left"] == .number(JSONNumber(5120 - push.payload.count)))
    }

    @Test("An unsealed payload is reported as readable") func anUnsealedPayloadIsReadable() throws {
        let run = try tool.run("inspect", input: #"{"aps":{"alert":"open"}}"#)
        #expect(run.status == 0)
        #expect(run.text.contains(#"aps.alert  "open""#))
        #expect(run.errors.hasPrefix("pushcrypt: warning: the payload is not sealed"))
    }

    @Test("A name cannot imitate another line") func aNameCannotImitateAnotherLine() throws {
        let run = try tool.run(
            "inspect", input: #"{"aps":{},"x\nENCRYPTED_DATA\n  version  1":"\u009b\u202e"}"#)
        #expect(!run.text.contains("\nENCRYPTED_DATA\n  version"))
        #expect(run.text.contains(#"x\nENCRYPTED_DATA\n  version  1  "\u{9B}\u{202E}""#))
        let json = try tool.run("inspect", "--json", input: "{\"k\":\"\u{9B}\u{202E}\u{E0001}é\"}")
        #expect(json.text.contains(#""\u009b\u202e\udb40\udc01é""#))
        #expect(
            try JSONValue(parsing: Array(json.output))["visible"]?["k"]
                == .string("\u{9B}\u{202E}\u{E0001}é"))
    }

    @Test("A huge input fills neither memory nor screen")
    func aHugeInputFillsNeitherMemoryNorScreen() throws {
        let name = String(repeating: "n", count: 30_000)
        let values = Array(repeating: "null", count: 6900).joined(separator: ",")
        let run = try tool.run("inspect", input: #"{"aps":{},"\#(name)":[\#(values)]}"#)
        #expect(run.status == 0)
        #expect(run.text.contains("  \(String(repeating: "n", count: 64))….0     null\n"))
        #expect(run.text.contains("and 4341 more values"))
        #expect(run.output.count < 500_000)
        let lint = try tool.run("lint", input: #"{"aps":{"alert":"a"},"\#(name)":[\#(values)]}"#)
        #expect(lint.output.count < 50_000)
        #expect(lint.errors.contains("100 warnings, 0 notes and 6800 more of the same rules"))
    }

    @Test("A keyring is not accepted as a payload and not printed") func aKeyringIsNotAPayload()
        throws
    {
        for name in ["a.jwks", "b.jwks"] {
            try tool.createKeyring(name, of: RecipientPrivateKey.self)
        }
        try tool.protect("b.jwks", with: "p", RecipientPrivateKey.self)
        for name in ["a.jwks", "b.jwks"] {
            let run = try tool.run("inspect", name)
            #expect(run.status == 65 && run.errors.contains(" is a key or a keyring"))
            #expect(run.output.isEmpty)
        }
        #expect(try tool.run("inspect", input: #"{"aps":{},"protection":1}"#).status == 0)
    }

    @Test(
        "No private half of a key in an unsealed payload is printed", .thorough,
        arguments: [[], ["--json"]])
    func noPrivateHalfIsPrinted(options: [String]) throws {
        for json in [
            #"{"aps":{},"a":[{"b":{"kty":"OKP","d":"SECRET"}}]}"#,
            #"{"aps":{},"a":{"crv":"X25519","d":"SECRET"}}"#,
            #"{"aps":{},"a":{"keys":[{"kty":"oct","k":"SECRET"}]}}"#, #"{"kty":"OKP","d":"SECRET""#,
        ] {
            let run = try tool.run(all: ["inspect"] + options, input: json)
            #expect(
                run.status == 65 && run.output.isEmpty && run.errors.contains(" is a key or "),
                "\(json)")
        }
        let text =
            #"{"aps":{},"a":"{\"b\":\"{\\\"kty\\\":1,\\\"d\\\":\\\"SECRET\\\"}\"}","x":{"d":5}}"#
        let run = try tool.run(all: ["inspect"] + options, input: text)
        #expect(
            run.status == 0 && run.text.contains(#""(private)""#) && !run.text.contains("SECRET"),
            "\(run.text)")
        #expect(run.text.contains(options.isEmpty ? "x.d  5" : #""d" : 5"#))
    }

    @Test("An invalid envelope is reported, and the status is 65")
    func anInvalidEnvelopeIsReported() throws {
        for value in [#""AA""#, #""A=""#, "1"] {
            let run = try tool.run("inspect", input: #"{"aps":{},"ENCRYPTED_DATA":\#(value)}"#)
            #expect(run.status == 65)
            #expect(run.text.contains("ENCRYPTED_DATA cannot be read"))
        }
        #expect(try tool.run("inspect", input: "x").status == 65)
    }

    // Two forms of é are two names in JSON, but one key of a Swift dictionary.
    @Test("Names that look alike are all shown") func namesThatLookAlikeAreAllShown() throws {
        let json =
            "{\"aps\":{},\"caf\u{E9}\":\"hello\",\"cafe\u{301}\":\"4111\",\"ENCRYPTED_DATA\":\"AA\"}"
        let run = try tool.run("inspect", input: json)
        #expect(run.text.contains("  \"hello\"\n") && run.text.contains("  \"4111\"\n"))
        let report = try tool.run("inspect", "--json", input: json)
        #expect(report.status == 65 && report.errors.contains("Unicode normalization only"))
    }
}
