import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of null values, which APNs drops.
@Suite struct NullTests {
    @Test("A null is found at every depth", arguments: 1...63)
    func depth(depth: Int) throws {
        // Objects and arrays alternate, up to the deepest nesting that the scanner accepts.
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
        #expect(findings.first?.location.path == ["k"] + path)
        #expect(findings.first?.location.description == (["k"] + path).joined(separator: "."))
        #expect(findings.first?.location.pointer == "/" + (["k"] + path).joined(separator: "/"))
    }

    @Test("Deeper nesting is an error")
    func tooDeep() {
        let open = String(repeating: "[", count: 64)
        let close = String(repeating: "]", count: 64)
        #expect(throws: PushCryptError(.malformedJSON, "")) {
            try PayloadLint(json: #"{"aps":{"alert":"a"},"k":\#(open)null\#(close)}"#.utf8)
        }
    }

    @Test("All nulls are found in the order of the payload")
    func order() throws {
        let json =
            #"{"z":[null,[null,{"b":null}],null],"aps":{"alert":{"body":"b","title":null}},"a":null}"#
        #expect(
            try PayloadLint(json: json.utf8).findings.map(\.location.description)
                == ["z.0", "z.1.0", "z.1.1.b", "z.2", "aps.alert.title", "a"])
    }

    @Test("Empty values aren't null")
    func emptyValues() throws {
        let json = #"{"aps":{"alert":"a"},"k":[{},[],"",0,false,{"a":{}},[[]]]}"#
        #expect(try PayloadLint(json: json.utf8).findings == [])
    }

    @Test("Lint reports 100 nulls and counts the others")
    func manyNulls() throws {
        let nulls = Array(repeating: "null", count: 700).joined(separator: ",")
        let lint = try PayloadLint(json: "{\"k\":[\(nulls)]}".utf8, headers: APNsHeaders(.voip))
        #expect(lint.findings.map(\.location.pointer) == (0..<100).map { "/k/\($0)" })
        #expect(lint.omitted == 600)
    }
}
