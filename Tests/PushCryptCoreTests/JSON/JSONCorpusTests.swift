import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct JSONCorpusTests {
    @Test("Every text of the corpus has one name and one form") func names() throws {
        let vectors = try JSONVectors.load()
        #expect(Set(vectors.accepted.map(\.name)).count == vectors.accepted.count)
        #expect(Set(vectors.refused.map(\.name)).count == vectors.refused.count)
        #expect(vectors.accepted.allSatisfy { ($0.text == nil) != ($0.base64 == nil) })
        #expect(vectors.refused.allSatisfy { ($0.text == nil) != ($0.base64 == nil) })
    }

    @Test("The corpus has every kind of problem") func kinds() throws {
        let kinds = Set(JSONProblem.Kind.allCases.map { "\($0)" })
        #expect(Set(try JSONVectors.load().refused.map(\.problem)) == kinds)
    }

    @Test("Valid JSON is accepted", arguments: try JSONVectors.load().accepted)
    func accepts(_ vector: JSONVectors.Accepted) {
        #expect(problem(of: vector.bytes) == nil)
    }

    @Test(
        "Invalid JSON is refused at the first wrong byte", arguments: try JSONVectors.load().refused
    )
    func refuses(_ vector: JSONVectors.Refused) {
        let problem = problem(of: vector.bytes)
        #expect(problem.map { "\($0.what)" } == vector.problem)
        #expect(problem?.offset == vector.offset)
    }

    @Test(
        "An error has the offset and no part of the text", arguments: try JSONVectors.load().refused
    )
    func error(_ vector: JSONVectors.Refused) throws {
        let bytes = vector.bytes
        let error = try #require(thrownError { try JSONDocument(scanning: bytes.span) })
        let kind = try #require(JSONProblem.Kind.allCases.first { "\($0)" == vector.problem })
        #expect(error.code == .malformedJSON)
        #expect(error.reason.hasPrefix("The payload is not one strict JSON object: at line "))
        #expect(error.reason.hasSuffix(" (byte \(vector.offset)), \(kind.rawValue). Correct it."))
    }

    @Test("The location has lines, and columns of characters") func location() {
        let bytes = Array("{\n \"ä€😀\": x\r\n}".utf8)
        for (offset, place) in [
            (0, "1, column 1"), (1, "1, column 2"), (2, "2, column 1"), (15, "2, column 8"),
        ] {
            let problem = JSONProblem(offset: offset, what: .expectedValue)
            #expect(problem.location(in: bytes.span) == "line \(place) (byte \(offset))")
        }
        #expect(
            JSONProblem(offset: 99, what: .unexpectedEnd).location(in: bytes.span)
                == "line 3, column 2 (byte 99)")
    }
}

/// Returns the problem that the scanner finds in a text.
func problem(of bytes: [UInt8]) -> JSONProblem? {
    var scanner = JSONScanner(bytes.span)
    do throws(JSONProblem) {
        try scanner.scanDocument()
        return nil
    } catch {
        return error
    }
}
