import Foundation
import PushCryptCore
import PushCryptPayload
import PushCryptSender
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptLint

/// The leaves of a document, compared with those of the decoded value.
@Suite struct JSONLeavesTests {
    private func leaves(_ text: String) throws -> [String] {
        let bytes = Array(text.utf8)
        return try JSONDocument(scanning: bytes.span).leaves(in: bytes.span).map { leaf in
            "\(leaf.path.joined(separator: ".")) \(leaf.value.kind) \(String(decoding: bytes[leaf.value.range], as: UTF8.self))"
        }
    }

    @Test("Leaves come in the order of the text") func order() throws {
        #expect(
            try leaves(
                #" { "b" : [ 1 , { "x" : null } , "]," ] , "a" : { "\u0063\"" : -1.5e3 , "d" : true } , "" : false } "#
            )
                == [
                    "b.0 number 1", "b.1.x null null", #"b.2 string "],""#, #"a.c" number -1.5e3"#,
                    "a.d boolean true", " boolean false",
                ])
    }

    @Test("An empty object or array is a leaf") func emptyContainers() throws {
        #expect(try leaves("{}") == [" object {}"])
        #expect(try leaves(" { } ") == [" object { }"])
        #expect(
            try leaves(#"{"a":{},"b":[],"c":[[],{},[ ]],"d":{"e":{}}}"#)
                == [
                    "a object {}", "b array []", "c.0 array []", "c.1 object {}", "c.2 array [ ]",
                    "d.e object {}",
                ])
    }

    // MARK: Against the decoded value

    /// The leaves of a decoded value, by their paths.
    private func leaves(of value: JSONValue, at path: [String] = []) -> [[String]: JSONValue] {
        var children: [(String, JSONValue)] = []
        if let members = value.objectValue { children = Array(members) }
        if let elements = value.arrayValue {
            children = elements.enumerated().map { ("\($0.offset)", $0.element) }
        }
        guard !children.isEmpty else { return [path: value] }
        return children.reduce(into: [:]) { leaves, child in
            leaves.merge(self.leaves(of: child.1, at: path + [child.0])) { $1 }
        }
    }

    private func kind(_ value: JSONValue) -> JSONDocument.Kind {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .string: .string
        case .array: .array
        case .object: .object
        case .number: .number
        }
    }

    /// Compares the leaves, and returns `false` if two names are equal strings in Swift.
    private func compare(_ bytes: [UInt8], _ comment: Comment) throws -> Bool {
        let walked = try JSONDocument(scanning: bytes.span).leaves(in: bytes.span)
        guard Set(walked.map(\.path)).count == walked.count else { return false }
        let expected = leaves(of: try JSONValue(forDisplay: bytes))
        #expect(Set(walked.map(\.path)) == Set(expected.keys), comment)
        var end = 0
        for leaf in walked {
            #expect(leaf.value.range.lowerBound >= end && leaf.value.range.count > 0, comment)
            end = leaf.value.range.upperBound
            let text = Array(bytes[leaf.value.range])
            let value = try JSONValue(parsing: #"{"v":"#.utf8 + text + "}".utf8)["v"]
            #expect(value == expected[leaf.path], comment)
            #expect(value.map(kind) == leaf.value.kind, comment)
            let outer = [0x20, 0x09, 0x0A, 0x0D].contains { text.first == $0 || text.last == $0 }
            #expect(!outer, comment)
        }
        return true
    }

    @Test("The leaves of the corpus have their values") func corpus() throws {
        let vectors = try JSONVectors.load().accepted
        let compared = try vectors.count { try compare($0.bytes, "\($0.name)") }
        #expect(compared >= 45 && compared > vectors.count - 5)
    }

    @Test(
        "The leaves of documented payloads have their values", arguments: try PayloadVector.load())
    func payloads(vector: PayloadVector) throws {
        #expect(try compare(vector.json, "\(vector.name)"))
    }

    @Test("The leaves of random documents have their values") func randomDocuments() throws {
        var random = SeededRandom(seed: 0x3A1C)
        for _ in 0..<1500 {
            let text = object(depth: 4, &random)
            #expect(try compare(Array(text.utf8), "\(text)"))
        }
    }

    private func pick(_ elements: [String], _ random: inout SeededRandom) -> String {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private func space(_ random: inout SeededRandom) -> String {
        pick(["", "", "", " ", "\n\t", "\r\n"], &random)
    }

    private func object(depth: Int, _ random: inout SeededRandom) -> String {
        let members = (0..<Int.random(in: 0...4, using: &random)).map { index in
            let name =
                pick(["a", "é", "", "0", "\\u0061\\\"", "{", "]", "👩‍👩‍👧"], &random) + "\(index)"
            return space(&random) + "\"\(name)\"" + space(&random) + ":"
                + value(depth: depth - 1, &random)
        }
        return "{" + members.joined(separator: ",") + space(&random) + "}"
    }

    private func value(depth: Int, _ random: inout SeededRandom) -> String {
        let scalars = [
            "0", "-1.5e-3", "12345678901234567890", "0.1", "true", "false", "null", "\"\"",
            "\"}],:\"", "\"\\\\\"",
            "\"\\\"\"", "\"\\ud83d\\ude00 é\"", "\" \\u0022 \"",
        ]
        var text = pick(scalars, &random)
        switch depth > 0 ? Int.random(in: 0...3, using: &random) : 0 {
        case 2: text = object(depth: depth, &random)
        case 3:
            let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                value(depth: depth - 1, &random)
            }
            text = "[" + elements.joined(separator: ",") + space(&random) + "]"
        default: break
        }
        return space(&random) + text + space(&random)
    }
}
