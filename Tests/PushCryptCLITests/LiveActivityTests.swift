import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// Pushes of a Live Activity, through all commands.
@Suite(.toolThreads, .thorough) struct LiveActivityTests {
    private static let start = """
        {"aps":{"timestamp":1764000000,"event":"start","content-state":{"left":3,"note":"secret"},"attributes-type":"OrderAttributes",\
        "attributes":{"place":"secret"},"alert":{"title":{"loc-key":"T"},"body":{"loc-key":"B"}}}}
        """
    private static let update =
        #"{"aps":{"timestamp":1764000000,"event":"update","content-state":{"left":2,"note":"secret"}}}"#
    private static let end = #"{"aps":{"timestamp":1764000000,"event":"end","dismissal-date":2}}"#

    private let tool: Tool
    private let keyID: String

    init() throws {
        tool = try Tool()
        keyID = try tool.createDevice().keyID.description
        try tool.createServer()
    }

    private func sealed(_ payload: String, _ options: String...) throws -> Tool.Run {
        try tool.run(
            all: [
                "seal", "--to", "device.jwk", "--sign-with", "server.jwks", "--type",
                "liveactivity",
            ] + options,
            input: payload)
    }

    private func open(_ payload: String) throws -> Tool.Run {
        try tool.run(
            "open", "--type", "liveactivity", "--keyring", "device.jwks", "--signed-by",
            "server.jwks", input: payload)
    }

    // An attacker can change the white space between the tokens.
    @Test("White space cannot control a terminal", .terminal)
    func whiteSpaceCannotControlATerminal() throws {
        let text = try sealed(Self.update).text.replacing(#","event""#, with: ",\r\t\"event\"")
        try tool.write(text, to: "sealed.json")
        let shown = try tool.runOnTerminal(
            "'\(try Tool.executable.path)' open --type liveactivity --keyring device.jwks --signed-by server.jwks "
                + "sealed.json")
        #expect(shown.contains(#""timestamp":1764000000,  "event""#), "\(shown)")
        #expect(try open(text).text.contains("\r\t"), "A file and a pipe get the same bytes.")
    }

    @Test(
        "The original comes back byte for byte",
        arguments: [(start, "none"), (start, "buckets"), (update, "maximum")])
    func theOriginalComesBackByteForByte(payload: String, padding: String) throws {
        let run = try sealed(payload, "--padding", padding, "--expose", "alert")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty, "Notes are for lint.")
        #expect(!run.text.contains("secret"))
        #expect(run.text.contains(#""content-state":{"ENCRYPTED_DATA":"#))
        let opened = try open(run.text)
        #expect(opened.status == 0)
        #expect(opened.text == payload)
    }

    @Test("The words of the alert aren't sent") func alertIsReplaced() throws {
        let run = try sealed(Self.start, "--placeholder-body", "News")
        #expect(run.status == 0)
        #expect(run.text.contains(#""alert":{"body":"News"}}}"#), "\(run.text)")
        #expect(try open(run.text).text.contains(#""note":"secret""#))
    }

    @Test("An end without a state isn't sealed, and the error says how to send it")
    func anEndWithoutAStateIsNotSealed() throws {
        let run = try sealed(Self.end)
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.errors.contains("Add a final state, or send the push unsealed."))
        let opened = try open(Self.end)
        #expect(opened.status == 65)
        #expect(opened.output.isEmpty)
        #expect(opened.errors.contains("[not-sealed]"))
    }

    @Test("Nothing is printed unless both parts are authentic")
    func nothingIsPrintedUnlessBothPartsAreAuthentic()
        throws
    {
        let genuine = try sealed(Self.start).text
        try tool.createKeyring("mallory.jwks", of: SigningKey.self)
        let forged = try tool.run(
            "seal", "--to", "device.jwk", "--sign-with", "mallory.jwks", "--type", "liveactivity",
            input: Self.start
        ).text
        let (ours, theirs) = (
            try #require(genuine.range(of: "attributes-type")),
            try #require(forged.range(of: "attributes-type"))
        )
        for payload in [
            forged, String(genuine[..<ours.lowerBound] + forged[theirs.lowerBound...]),
            String(forged[..<theirs.lowerBound] + genuine[ours.lowerBound...]),
        ] {
            let run = try open(payload)
            #expect(run.status == 65)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("[unknown-signer]"))
        }
    }

    @Test("Inspect shows visible and sealed values") func inspectShowsVisibleAndSealedValues()
        throws
    {
        let payload = try sealed(Self.start).text
        let run = try tool.run("inspect", "--type", "liveactivity", input: payload)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        for text in [
            #"aps.alert.body       "(Encrypted)""#, #"aps.attributes-type  "OrderAttributes""#,
            "aps.timestamp        1764000000",
            "\naps.attributes.ENCRYPTED_DATA\n", "\naps.content-state.ENCRYPTED_DATA\n",
            "key id    \(keyID)",
            "\(payload.utf8.count) bytes",
        ] {
            #expect(run.text.contains(text), "\(text)")
        }
        let report = try JSONValue(
            parsing: Array(try tool.run("inspect", "--json", input: payload).output))
        let values = try #require(report["sealed"]?.arrayValue)
        #expect(
            values.map { $0["location"] } == [
                "aps.attributes.ENCRYPTED_DATA", "aps.content-state.ENCRYPTED_DATA",
            ])
        #expect(values.allSatisfy { $0["keyID"] == .string(keyID) })
        #expect(report["visible"]?["aps"]?["content-state"] == nil)
        #expect(report["visible"]?["aps"]?["event"] == "start")
    }

    @Test("Inspect reports malformed sealed values") func inspectReportsMalformedValues() throws {
        let run = try tool.run(
            "inspect",
            input:
                #"{"aps":{"content-state":{"ENCRYPTED_DATA":"=","left":1},"attributes":{"ENCRYPTED_DATA":1}}}"#
        )
        #expect(run.status == 65)
        #expect(run.text.contains("aps.content-state.ENCRYPTED_DATA cannot be read"))
        #expect(run.text.contains("aps.attributes.ENCRYPTED_DATA cannot be read"))
        #expect(run.text.contains("aps.content-state.left  1"), "The value beside it is visible.")
    }

    @Test("Lint checks originals and sealed payloads") func lintChecksBothForms() throws {
        let original = try tool.run("lint", "--type", "liveactivity", input: Self.start)
        #expect(original.status == 0)
        #expect(original.errors.contains("checked as an original"))
        let sent = try tool.run(
            "lint", "--type", "liveactivity", input: try sealed(Self.start).text)
        #expect(sent.status == 0)
        #expect(sent.output.isEmpty)
        #expect(sent.errors.contains("checked as sealed"))
        // As an alert it isn't valid.
        #expect(try tool.run("lint", input: try sealed(Self.start).text).status == 65)
    }

    @Test("Values left readable by mistake are refused")
    func valuesLeftReadableByMistakeAreRefused() throws {
        let run = try sealed(
            #"{"aps":{"timestamp":1764000000,"event":"update","content-state":{}},"note":"secret"}"#
        )
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("(Rule live-activity-custom-key.) [invalid-payload]"))
        #expect(!run.errors.contains("secret"))
        #expect(try sealed(try sealed(Self.update).text).errors.contains("[already-sealed]"))
    }

    @Test("A Live Activity push has no preview") func aLiveActivityHasNoPreview() throws {
        let run = try tool.run(
            "preview", "--keyring", "device.jwks", "--anyone", input: try sealed(Self.start).text)
        #expect(run.status == 65)
        #expect(run.text == "(Encrypted)\n")
        #expect(
            run.errors.contains("Use 'pushcrypt open', as in '--type liveactivity'.")
                && run.errors.contains("[no-alert-text]"))
    }

    @Test("A push without an alert has no preview") func aPushWithoutAnAlertHasNoPreview() throws {
        for (type, json) in [
            ("background", #"{"aps":{"content-available":1},"k":"v"}"#), ("voip", #"{"k":"v"}"#),
        ] {
            try tool.write(json, to: "payload.json")
            let push = try tool.run(
                "seal", "--to", "device.jwk", "--anonymous", "--type", type, "payload.json")
            #expect(push.status == 0, "\(push.errors)")
            for options in [[], ["--type", type]] {
                let run = try tool.run(
                    all: ["preview", "--keyring", "device.jwks", "--anyone"] + options,
                    input: push.text)
                #expect(run.status == 65)
                #expect(run.text == "(Encrypted)\n")
                #expect(
                    run.errors.contains(
                        "'pushcrypt open', as in '--type \(options.last ?? "background")'."),
                    "\(run.errors)")
            }
        }
    }

    @Test(
        "A message of another kind in an alert is neither opened nor shown",
        arguments: ["background", "voip"])
    func messageOfAnotherKindDoesNotOpen(type: String) throws {
        let push = try tool.run(
            "seal", "--to", "device.jwk", "--anonymous", "--type", type,
            input: #"{"aps":{"content-available":1}}"#)
        let data = try #require(try JSONValue(parsing: push.text)["ENCRYPTED_DATA"]?.stringValue)
        let alert =
            #"{"aps":{"alert":{"body":"a"},"mutable-content":1},"ENCRYPTED_DATA":"\#(data)"}"#
        let preview = try tool.run("preview", "--keyring", "device.jwks", "--anyone", input: alert)
        #expect(
            preview.status == 65 && preview.text == "(Encrypted)\n"
                && preview.errors.contains("[wrong-kind]"))
        let open = try tool.run("open", "--keyring", "device.jwks", "--anyone", input: alert)
        #expect(open.status == 65 && open.output.isEmpty && open.errors.contains("[wrong-kind]"))
    }
}
