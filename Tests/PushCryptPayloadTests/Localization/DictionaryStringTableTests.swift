import Foundation
import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

@Suite struct DictionaryStringTableTests {
    @Test func hasTheStringsOfADictionary() {
        let table = DictionaryStringTable(["a": "1", "": "empty", "b": ""])
        #expect(table.string(forKey: "a") == "1")
        #expect(table.string(forKey: "") == "empty")
        #expect(table.string(forKey: "b") == "")
        #expect(table.string(forKey: "A") == nil)
        #expect(table.string(forKey: "c") == nil)
    }

    @Test func aLiteralMayHaveAKeyTwice() {
        let table: DictionaryStringTable = ["a": "1", "b": "2", "a": "3"]
        #expect(table.string(forKey: "a") == "3")
        #expect(table.string(forKey: "b") == "2")
        let none: DictionaryStringTable = [:]
        #expect(none.string(forKey: "a") == nil)
    }

    @Test func comparesKeysScalarForScalar() {
        let table: DictionaryStringTable = ["\u{E9}": "one", "e\u{301}": "two"]
        #expect(table.string(forKey: "\u{E9}") == "one")
        #expect(table.string(forKey: "e\u{301}") == "two")
        #expect(DictionaryStringTable(["\u{E9}": "one"]).string(forKey: "e\u{301}") == nil)
    }

    @Test func isAStringTable() {
        let table: any StringTable = DictionaryStringTable(["a": "1"])
        #expect(table.string(forKey: "a") == "1")
    }

    @Test func readsAFileAsArrayAsDataAndAsText() throws {
        let text = #""a" = "1";"#
        for table in [
            try DictionaryStringTable(parsing: Array(text.utf8)), try DictionaryStringTable(parsing: Data(text.utf8)),
            try DictionaryStringTable(parsing: text.utf8),
        ] {
            #expect(table.string(forKey: "a") == "1")
        }
    }

    @Test func refusesABrokenFileInEveryForm() {
        let text = "\"a\" = \"1\";\n\"b\""
        #expect(errorCode { try DictionaryStringTable(parsing: Array(text.utf8)) } == .malformedStrings)
        #expect(errorCode { try DictionaryStringTable(parsing: Data(text.utf8)) } == .malformedStrings)
        let error = thrownError { try DictionaryStringTable(parsing: text.utf8) }
        #expect(error?.code == .malformedStrings)
        #expect(
            error?.reason
                == "The strings file cannot be read: in line 2, neither an equal sign nor a semicolon after the key.")
    }
}
