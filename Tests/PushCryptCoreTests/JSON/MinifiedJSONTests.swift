import Foundation
import PushCryptCore
import TestSupport
import Testing

@Suite struct MinifiedJSONTests {
    private func minified(_ bytes: [UInt8]) throws -> [UInt8] {
        try JSONDocument(scanning: bytes.span).minified(bytes.span).bytes
    }

    private func minified(_ text: String) throws -> String {
        String(decoding: try minified(Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "White space between tokens is removed, and nothing else",
        arguments: [
            (
                #" { "n" : 12345678901234567890 , "m" : 1.10 } "#,
                #"{"n":12345678901234567890,"m":1.10}"#
            ),
            (#"{"a" : [ -0 , 1E+05 , 0.000 ] }"#, #"{"a":[-0,1E+05,0.000]}"#),
            (
                #"{ "\u0041\/" : "\u00e9 \/ \ud83d\ude00" }"#,
                #"{"\u0041\/":"\u00e9 \/ \ud83d\ude00"}"#
            ),
            (
                #"{"a" : " keep \" this \\" , "b" : " \t " }"#,
                #"{"a":" keep \" this \\","b":" \t "}"#
            ),
            (#"{"a" : "{ } [ ] , :" }"#, #"{"a":"{ } [ ] , :"}"#),
            ("{\r\n\t\"é\" : \"ü 👋\" ,\n\"b\":[ ]\n}\n", "{\"é\":\"ü 👋\",\"b\":[]}"),
            (#"{"b":1, "a":2}"#, #"{"b":1,"a":2}"#),
        ])
    func removesWhiteSpace(_ text: String, _ expected: String) throws {
        #expect(try minified(text) == expected)
    }

    @Test(
        "Minified JSON of the corpus keeps its values", arguments: try JSONVectors.load().accepted)
    func minifiesTheCorpus(_ vector: JSONVectors.Accepted) throws {
        let bytes = vector.bytes
        let document = try JSONDocument(scanning: bytes.span)
        let minified = document.minified(bytes.span)
        let result = minified.bytes
        #expect(
            result.count == bytes.count - document.whitespace, "The scan counts the removed bytes.")
        let again = try JSONDocument(scanning: result.span)
        #expect(again.whitespace == 0)
        #expect(again.minified(result.span).bytes == result)
        #expect(again.values.count == document.values.count)
        #expect(minified.document.whitespace == 0)
        #expect(
            minified.document.values.map { "\($0)" } == again.values.map { "\($0)" },
            "A scan finds the same.")
        for (old, new) in zip(document.values, again.values) {
            #expect(old.kind == new.kind)
            #expect(
                old.name.map { Array(bytes[$0]) } == new.name.map { Array(result[$0]) },
                "The names are unchanged.")
        }
    }
}
