import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

/// Tests of string catalogs as tables.
@Suite struct StringCatalogTests {
    private static let catalog = #"""
        {
          "sourceLanguage" : "en",
          "strings" : {
            "PLAIN KEY" : {},
            "NAME" : {"extractionState" : "manual", "localizations" : {
              "de" : {"stringUnit" : {"state" : "translated", "value" : "Von %@"}},
              "en" : {"stringUnit" : {"state" : "translated", "value" : "From %@"}}}},
            "GERMAN ONLY" : {"localizations" : {"de" : {"stringUnit" : {"state" : "new", "value" : "Nur"}}}},
            "COUNT" : {"localizations" : {"en" : {"variations" : {"plural" : {
              "one" : {"stringUnit" : {"state" : "translated", "value" : "%lld message"}},
              "other" : {"stringUnit" : {"state" : "translated", "value" : "%lld messages"}}}}}}},
            "DEVICE" : {"localizations" : {"en" : {"variations" : {"device" : {
              "applewatch" : {"stringUnit" : {"state" : "translated", "value" : "Raise"}},
              "other" : {"variations" : {"plural" : {
                "other" : {"stringUnit" : {"state" : "translated", "value" : "Tap"}}}}}}}}}}
          },
          "version" : "1.0"
        }
        """#

    @Test(
        "A key has the text of the source language, or itself",
        arguments: [
            ("PLAIN KEY", "PLAIN KEY"), ("NAME", "From %@"), ("GERMAN ONLY", "GERMAN ONLY"),
            ("COUNT", "%lld messages"),
            ("DEVICE", "Tap"),
        ])
    func text(key: String, expected: String) throws {
        let table = try DictionaryStringTable(parsing: Array(Self.catalog.utf8))
        #expect(table.string(forKey: key) == expected)
    }

    @Test("A key that the catalog lacks has no text") func missingKey() throws {
        let table = try DictionaryStringTable(parsing: Array(("\n\t " + Self.catalog).utf8))
        #expect(table.string(forKey: "OTHER") == nil)
    }

    @Test(
        "What isn't a catalog is an error without its text",
        arguments: [
            "{", "{}", #"{"sourceLanguage":"en"}"#, #"{"strings":{"SECRET":{}}}"#,
            #"{"sourceLanguage":1,"strings":{}}"#, #"{"sourceLanguage":"en","strings":["SECRET"]}"#,
            #"{"sourceLanguage":"en","strings":{"A":{}}} SECRET"#, "{ \"SECRET\" = \"b\"; }",
        ])
    func malformed(file: String) {
        let error = #expect(throws: PushCryptError.self) {
            try DictionaryStringTable(parsing: Array(file.utf8))
        }
        #expect(error?.code == .malformedStrings && error?.reason.contains("SECRET") == false)
    }

    @Test(
        "No byte that is cut or changed crashes the reader",
        arguments: 0..<UInt64(LongRun.count(2, full: 20)))
    func damage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = Array(Self.catalog.utf8)
        for _ in 0..<200 {
            var changed = bytes
            changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            _ = try? DictionaryStringTable(parsing: changed)
            _ = try? DictionaryStringTable(
                parsing: changed.prefix(Int.random(in: bytes.indices, using: &random)))
        }
    }
}
