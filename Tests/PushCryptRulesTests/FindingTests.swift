import PushCryptTesting
import Testing

@testable import PushCryptSender

/// How a finding says where it is, and what it keeps to itself.
@Suite struct FindingTests {
    @Test(arguments: [
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
        // Escaped in one go: "~1" in a name is no slash.
        (["~1", "/~"], #"["~1"].["/~"]"#, "/~01/~1~0"),
        (["a.b", "c"], #"["a.b"].c"#, "/a.b/c"),
        (["two\nlines"], #"["two\nlines"]"#, "/two\nlines"),
    ])
    func aPlaceIsWrittenForPeopleAndForPrograms(_ path: [String], _ text: String, _ pointer: String) {
        let place = Finding.Place(path)
        #expect(place.description == text)
        #expect(place.pointer == pointer)
        #expect(place.path == path)
    }

    @Test func whatIsOutsideOfThePayloadHasNoPointer() {
        let place = Finding.Place(outside: "apns-collapse-id")
        #expect(place.description == "apns-collapse-id")
        #expect(place.pointer == nil && place.path == nil)
    }

    @Test func anErrorHasWhatWhereHowAndWhich() throws {
        let finding = Finding(rule: .wrongType, place: Finding.Place(["aps", "badge"]), detail: "a number")
        #expect(finding.error.code == .invalidPayload)
        #expect(
            finding.error.reason
                == "aps.badge: is not of the type that Apple's table has (a number). Give it that type. (Rule wrong-type.)"
        )
        #expect(finding.message == "aps.badge: is not of the type that Apple's table has (a number)")
        #expect(Finding(rule: .noAlertText, place: Finding.Place([]), detail: nil).error.code == .noAlertText)
        #expect(Finding(rule: .payloadSize, place: Finding.Place([]), detail: nil).error.code == .payloadTooLarge)
    }

    @Test func anErrorNamesNoKeyOfTheApps() {
        let own = Finding(rule: .nullValue, place: Finding.Place(["customer-anna"]), detail: nil)
        #expect(own.message.hasPrefix("customer-anna: "))
        #expect(own.error.reason.hasPrefix("A member of the payload: is null"))
        let inside = Finding(rule: .nullValue, place: Finding.Place(["aps", "content-state", "anna"]), detail: nil)
        #expect(!inside.error.reason.contains("anna"))
    }

    /// Names and values that begin with `zq`, everywhere where the app writes and Apple does not.
    @Test(arguments: PushType.allCases)
    func noErrorHasANameOrAValueOfTheApps(type: PushType) throws {
        let own = #""zqkey":{"zq/name":["zqvalue\/",null]},"zq~":null"#
        let aps = """
            "alert":{"title":1,"zqalert":"zqvalue\\/","loc-key":"zqloc","loc-args":["zqargument",null],\
            "title-loc-args":["zqargument"],"action-loc-key":"zqaction"},"badge":-1.5,"sound":{"zqsound":null},\
            "category":"zqcategory","thread-id":null,"interruption-level":"zqlevel","event":"zqevent",\
            "content-state":{"zqstate":null},"attributes":"zqattributes","content-available":"zqflag","zqaps":null
            """
        let sealed = #""ENCRYPTED_DATA":"zq""#
        let content = try ContentExtension(parsing: ContentExtensionFile(categories: ["zqdeclared"]).xml)
        var count = 0
        for json in [
            "{\"aps\":{\(aps)},\(own)}", "{\"aps\":{\(aps)},\(own),\(sealed)}", "{\"aps\":\"zqvalue\",\(own)}",
            "{\(own)}", "{\"aps\":{\"content-state\":{\(sealed)},\(aps.replacing("content-state", with: "zq"))}}",
        ] {
            let review = try PayloadLint(
                json: json.utf8, headers: APNsHeaders(type),
                options: PayloadLint.Options(
                    exposedKeys: Set(ExposedKey.allCases), strings: DictionaryStringTable(["zq": "zq"]),
                    contentExtension: content))
            for finding in review.findings {
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
