import PushCryptTesting
import Testing

@testable import PushCryptLint
@testable import PushCryptSender

/// Tests of the location and the text of a finding.
@Suite struct FindingTests {
    @Test(
        "A location has a description and a pointer",
        arguments: [
            ([], "the payload", ""),
            (["aps"], "aps", "/aps"),
            (["aps", "alert", "loc-args", "0"], "aps.alert.loc-args.0", "/aps/alert/loc-args/0"),
            (["snake_case", "größe", "日本"], "snake_case.größe.日本", "/snake_case/größe/日本"),
            // The examples of RFC 6901, section 5.
            ([""], #"[""]"#, "/"),
            (["a/b"], #"["a/b"]"#, "/a~1b"),
            (["c%d"], #"["c%d"]"#, "/c%d"),
            (["i\\j"], #"["i\\j"]"#, "/i\\j"),
            (["k\"l"], #"["k\"l"]"#, "/k\"l"),
            ([" "], #"[" "]"#, "/ "),
            (["m~n"], #"["m~n"]"#, "/m~0n"),
            // "~1" in a name isn't a slash.
            (["~1", "/~"], #"["~1"].["/~"]"#, "/~01/~1~0"),
            (["a.b", "c"], #"["a.b"].c"#, "/a.b/c"),
            (["two\nlines"], #"["two\nlines"]"#, "/two\nlines"),
        ])
    func location(_ path: [String], _ text: String, _ pointer: String) {
        let location = Finding.Location(path)
        #expect(location.description == text)
        #expect(location.pointer == pointer)
        #expect(location.path == path)
    }

    @Test("A value outside of the payload has no pointer")
    func outside() {
        let location = Finding.Location(outside: "apns-collapse-id")
        #expect(location.description == "apns-collapse-id")
        #expect(location.pointer == nil && location.path == nil)
    }

    @Test("An error has the location, the problem, the fix and the rule")
    func error() throws {
        let finding = Finding(
            rule: .wrongType, location: Finding.Location(["aps", "badge"]), detail: "a number")
        #expect(finding.error.code == .invalidPayload)
        #expect(
            finding.error.reason
                == "aps.badge: The value doesn't have the type of Apple's table (a number). Use that type. (Rule wrong-type.)"
        )
        #expect(
            finding.message
                == "aps.badge: The value doesn't have the type of Apple's table (a number).")
        #expect(
            Finding(rule: .noAlertText, location: Finding.Location([]), detail: nil).error.code
                == .noAlertText)
        #expect(
            Finding(rule: .payloadSize, location: Finding.Location([]), detail: nil).error.code
                == .payloadTooLarge)
    }

    @Test("An error names no custom key")
    func customKeys() {
        let own = Finding(
            rule: .nullValue, location: Finding.Location(["customer-anna"]), detail: nil)
        #expect(own.message.hasPrefix("customer-anna: "))
        #expect(own.error.reason.hasPrefix("A member of the payload: The value is null"))
        let location = Finding.Location(["aps", "content-state", "anna"])
        let inside = Finding(rule: .nullValue, location: location, detail: nil)
        #expect(!inside.error.reason.contains("anna"))
    }

    /// Expects no name or value that begins with `zq`, as all those of the app do.
    @Test("No error has a custom key or a value", arguments: PushType.allCases)
    func privacy(type: PushType) throws {
        let own = #""zqkey":{"zq/name":["zqvalue\/",null]},"zq~":null"#
        let aps = """
            "alert":{"title":1,"zqalert":"zqvalue\\/","loc-key":"zqloc","loc-args":["zqargument",null],\
            "title-loc-args":["zqargument"],"action-loc-key":"zqaction"},"badge":-1.5,"sound":{"zqsound":null},\
            "category":"zqcategory","thread-id":null,"interruption-level":"zqlevel","event":"zqevent",\
            "content-state":{"zqstate":null},"attributes":"zqattributes","content-available":"zqflag","zqaps":null
            """
        let sealed = #""ENCRYPTED_DATA":"zq""#
        let content = try ContentExtension(
            parsing: ContentExtensionFile(categories: ["zqdeclared"]).xml)
        var count = 0
        for json in [
            "{\"aps\":{\(aps)},\(own)}", "{\"aps\":{\(aps)},\(own),\(sealed)}",
            "{\"aps\":\"zqvalue\",\(own)}",
            "{\(own)}",
            "{\"aps\":{\"content-state\":{\(sealed)},\(aps.replacing("content-state", with: "zq"))}}",
        ] {
            let lint = try PayloadLint(
                json: json.utf8, headers: APNsHeaders(type),
                exposedKeys: Set(ExposedKey.allCases), strings: DictionaryStringTable(["zq": "zq"]),
                contentExtension: content)
            for finding in lint.findings {
                #expect(!finding.error.reason.contains("zq"), "\(finding.message)")
                #expect(finding.detail?.contains("zq") != true, "\(finding.message)")
                count += 1
            }
            do {
                _ = try Sealer(.anonymous).prepare(json: json.utf8, headers: APNsHeaders(type))
            } catch {
                #expect(!error.reason.contains("zq"))
            }
        }
        #expect(count > 20)
    }
}
