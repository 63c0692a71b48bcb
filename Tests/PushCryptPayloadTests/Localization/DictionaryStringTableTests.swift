import Foundation
import PushCryptCore
import PushCryptPayload
import TestSupport
import Testing

@Suite struct DictionaryStringTableTests {
    @Test("A table has the strings of a dictionary")
    func dictionary() {
        let table = DictionaryStringTable(["a": "1", "": "empty", "b": ""])
        #expect(table.string(forKey: "a") == "1")
        #expect(table.string(forKey: "") == "empty")
        #expect(table.string(forKey: "b") == "")
        #expect(table.string(forKey: "A") == nil)
        #expect(table.string(forKey: "c") == nil)
    }

    @Test("Keys are compared scalar for scalar")
    func scalars() {
        let table = DictionaryStringTable(["\u{E9}": "one"])
        #expect(table.string(forKey: "\u{E9}") == "one")
        #expect(table.string(forKey: "e\u{301}") == nil)
    }

    @Test("A table is a string table")
    func existential() {
        let table: any StringTable = DictionaryStringTable(["a": "1"])
        #expect(table.string(forKey: "a") == "1")
    }

    @Test("A file may be an array, data or text")
    func forms() throws {
        let text = #""a" = "1";"#
        for table in [
            try DictionaryStringTable(parsing: Array(text.utf8)),
            try DictionaryStringTable(parsing: Data(text.utf8)),
            try DictionaryStringTable(parsing: text.utf8),
        ] {
            #expect(table.string(forKey: "a") == "1")
        }
    }

    @Test("A malformed file is an error in each form")
    func malformed() {
        let text = "\"a\" = \"1\";\n\"b\""
        #expect(
            errorCode { try DictionaryStringTable(parsing: Array(text.utf8)) } == .malformedStrings)
        #expect(
            errorCode { try DictionaryStringTable(parsing: Data(text.utf8)) } == .malformedStrings)
        let error = thrownError { try DictionaryStringTable(parsing: text.utf8) }
        #expect(error?.code == .malformedStrings)
        #expect(
            error?.reason
                == "The strings file isn't valid in line 2: a semicolon is missing. Correct the line."
        )
    }
}
