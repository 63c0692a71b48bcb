import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptLint

/// Tests of the type of each key in Apple's tables.
@Suite struct KeyTypeTests {
    /// The kinds of values of each key, from Apple's tables.
    static let kinds: [(path: String, kinds: Set<String>)] = [
        ("aps.alert", ["string", "object"]), ("aps.badge", ["whole"]),
        ("aps.sound", ["string", "object"]),
        ("aps.thread-id", ["string"]), ("aps.category", ["string"]),
        ("aps.content-available", ["whole"]),
        ("aps.mutable-content", ["whole"]), ("aps.target-content-id", ["string"]),
        ("aps.interruption-level", ["string"]), ("aps.relevance-score", ["whole", "fraction"]),
        ("aps.filter-criteria", ["string"]), ("aps.stale-date", ["whole", "fraction"]),
        ("aps.content-state", ["object"]), ("aps.timestamp", ["whole", "fraction"]),
        ("aps.event", ["string"]),
        ("aps.dismissal-date", ["whole", "fraction"]), ("aps.attributes-type", ["string"]),
        ("aps.attributes", ["object"]), ("aps.input-push-token", ["whole"]),
        ("aps.input-push-channel", ["string"]),
        ("aps.alert.title", ["string"]), ("aps.alert.subtitle", ["string"]),
        ("aps.alert.body", ["string"]), ("aps.alert.launch-image", ["string"]),
        ("aps.alert.title-loc-key", ["string"]),
        ("aps.alert.title-loc-args", ["strings", "empty array"]),
        ("aps.alert.subtitle-loc-key", ["string"]),
        ("aps.alert.subtitle-loc-args", ["strings", "empty array"]),
        ("aps.alert.loc-key", ["string"]), ("aps.alert.loc-args", ["strings", "empty array"]),
        ("aps.alert.action-loc-key", ["string"]), ("aps.sound.critical", ["whole"]),
        ("aps.sound.name", ["string"]),
        ("aps.sound.volume", ["whole", "fraction"]),
    ]

    static let values = [
        ("string", "\"a\""), ("object", "{}"), ("whole", "1"), ("fraction", "0.5"),
        ("empty array", "[]"),
        ("strings", #"["a","b"]"#), ("mixture", #"["a",1]"#), ("nested", #"[["a"]]"#),
    ]

    @Test("The table has every key")
    func allKeys() {
        #expect(
            Self.kinds.map(\.path) == PayloadKey.allCases.map { $0.path.joined(separator: ".") })
    }

    @Test(
        "A key accepts its type only", arguments: kinds.indices,
        LongRun.cases(PushType.allCases, usually: 3))
    func types(index: Int, type: PushType) throws {
        let (path, kinds) = Self.kinds[index]
        for (kind, value) in Self.values {
            var json = value
            for name in path.split(separator: ".").reversed() { json = "{\"\(name)\":\(json)}" }
            var isRight = kinds.contains(kind)
            // The lines of a Live Activity's alert may be dictionaries with a key and arguments.
            let lines = ["aps.alert.title", "aps.alert.subtitle", "aps.alert.body"]
            if type == .liveActivity, kind == "object", lines.contains(path) { isRight = true }
            let lint = try PayloadLint(json: json.utf8, headers: APNsHeaders(type))
            let found = lint.findings.filter { $0.rule == .wrongType }.map(\.location.description)
            #expect(found == (isRight ? [] : [path]), "\(kind)")
        }
    }

    @Test("A flag accepts a Boolean with a warning", arguments: kinds.indices)
    func booleans(index: Int) throws {
        let path = Self.kinds[index].path
        for value in ["true", "false"] {
            var json = value
            for name in path.split(separator: ".").reversed() { json = "{\"\(name)\":\(json)}" }
            let isFlag = [
                "aps.content-available", "aps.mutable-content", "aps.input-push-token",
                "aps.sound.critical",
            ].contains(path)
            let findings = try PayloadLint(json: json.utf8).findings
            #expect(findings.contains { $0.rule == .flagBoolean } == isFlag)
            #expect(findings.contains { $0.rule == .wrongType } == !isFlag)
        }
    }

    @Test("Elements may contain any characters")
    func arrays() throws {
        // The strings have commas, brackets and quotation marks.
        let json =
            #"{"aps":{"alert":{"loc-key":"K","loc-args":[ "a,1" , "]" ,"\"","\\" , "{\"" ]}}}"#
        #expect(try PayloadLint(json: json.utf8).findings == [])
        let lint = try PayloadLint(
            json: json.utf8,
            strings: DictionaryStringTable(["K": "%5$@ %@%@%@%@"]))
        #expect(lint.findings == [])
    }
}
