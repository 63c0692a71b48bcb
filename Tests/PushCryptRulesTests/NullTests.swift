import PushCryptTesting
import Testing

/// What APNs takes and drops: found wherever it is.
@Suite struct NullTests {
    @Test(arguments: 1...63)
    func aNullIsFoundAtEveryDepth(depth: Int) throws {
        // Objects and arrays in turn; with the payload itself, that is as deep as the scanner goes.
        var value = "null"
        var path: [String] = []
        for level in (0..<depth).reversed() {
            let isArray = level % 2 == 1
            value = isArray ? "[0,\(value)]" : "{\"a\":\"\",\"n\(level)\":\(value)}"
            path.insert(isArray ? "1" : "n\(level)", at: 0)
        }
        let json = #"{"aps":{"alert":"a"},"k":\#(value)}"#
        let findings = try PayloadLint(json: json.utf8).findings
        #expect(findings.map(\.rule) == [.nullValue])
        #expect(findings.first?.place.path == ["k"] + path)
        #expect(findings.first?.place.description == (["k"] + path).joined(separator: "."))
        #expect(findings.first?.place.pointer == "/" + (["k"] + path).joined(separator: "/"))
    }

    @Test func whatIsNestedDeeperIsRefused() {
        let open = String(repeating: "[", count: 64)
        let close = String(repeating: "]", count: 64)
        #expect(throws: PushCryptError(.malformedJSON, "")) {
            try PayloadLint(json: #"{"aps":{"alert":"a"},"k":\#(open)null\#(close)}"#.utf8)
        }
    }

    @Test func everyNullIsFoundInTheOrderOfThePayload() throws {
        let json = #"{"z":[null,[null,{"b":null}],null],"aps":{"alert":{"body":"b","title":null}},"a":null}"#
        #expect(
            try PayloadLint(json: json.utf8).findings.map(\.place.description)
                == ["z.0", "z.1.0", "z.1.1.b", "z.2", "aps.alert.title", "a"])
    }

    @Test func emptyThingsAreNotNull() throws {
        let json = #"{"aps":{"alert":"a"},"k":[{},[],"",0,false,{"a":{}},[[]]]}"#
        #expect(try PayloadLint(json: json.utf8).findings == [])
    }

    @Test func ofManyNullsAHundredAreToldAndAllAreCounted() throws {
        let nulls = Array(repeating: "null", count: 700).joined(separator: ",")
        let review = try PayloadLint(json: "{\"k\":[\(nulls)]}".utf8, headers: APNsHeaders(.voip))
        #expect(review.findings.map(\.place.pointer) == (0..<100).map { "/k/\($0)" })
        #expect(review.omitted == 600)
    }
}
