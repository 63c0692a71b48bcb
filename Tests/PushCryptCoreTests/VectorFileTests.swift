import Foundation
import TestSupport
import Testing

@Suite struct VectorFileTests {
    private func check(_ file: String, minimum: [String: Int] = ["vectors": 2]) throws {
        try VectorFile.check(Data(file.utf8), minimum: minimum)
    }

    @Test("A complete file of vectors is accepted") func completeFile() throws {
        try check(#"{"version":1,"counts":{"vectors":2},"vectors":[{"name":"a"},{"name":"b"}]}"#)
    }

    @Test(
        "An incomplete file of vectors is refused",
        arguments: [
            (
                #"{"version":2,"counts":{"vectors":2},"vectors":[{"name":"a"},{"name":"b"}]}"#,
                .otherVersion
            ),
            (
                #"{"version":1,"counts":{"vectors":2},"vectors":[{"name":"a"}]}"#,
                .wrongCount("vectors")
            ),
            (#"{"version":1,"counts":{"vectors":0},"vectors":[]}"#, .wrongCount("vectors")),
            (
                #"{"version":1,"counts":{"vectors":1},"vectors":[{"name":"a"}]}"#,
                .wrongCount("vectors")
            ),
            (
                #"{"version":1,"counts":{},"vectors":[{"name":"a"},{"name":"b"}]}"#,
                .wrongCount("vectors")
            ),
            (#"{"version":1,"counts":{"vectors":2}}"#, .wrongCount("vectors")),
            (
                #"{"version":1,"counts":{"vectors":2},"vectors":[{"name":"a"},{"name":"a"}]}"#,
                .invalidNames("vectors")
            ),
            (
                #"{"version":1,"counts":{"vectors":2},"vectors":[{"name":"a"},{}]}"#,
                .invalidNames("vectors")
            ),
        ] as [(String, VectorFile.Failure)])
    func incompleteFile(file: String, failure: VectorFile.Failure) {
        #expect(throws: failure) { try check(file) }
    }

    @Test("A file without version, counts or JSON is refused") func fileWithoutHeader() {
        for file in [
            "", "{}", #"{"counts":{"vectors":2},"vectors":[{"name":"a"},{"name":"b"}]}"#,
            #"{"version":1}"#,
        ] {
            #expect(throws: DecodingError.self) { try check(file) }
        }
        #expect(throws: (any Error).self) {
            try VectorFile.load("missing.json", minimum: ["vectors": 1], as: [String: String].self)
        }
    }

    @Test("Each array that the file counts needs a minimum") func unexpectedArray() {
        let file =
            #"{"version":1,"counts":{"vectors":2,"more":0},"vectors":[{"name":"a"},{"name":"b"}],"more":[]}"#
        #expect(throws: VectorFile.Failure.wrongCount("more")) { try check(file) }
    }
}
