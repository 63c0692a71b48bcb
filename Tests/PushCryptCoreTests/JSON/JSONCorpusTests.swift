import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct JSONCorpusTests {
    static let vectors = JSONVectors.all

    @Test func corpusIsThereAndComplete() {
        #expect(Self.vectors.accepted.count >= 50)
        #expect(Self.vectors.refused.count >= 200)
        #expect(Set(Self.vectors.accepted.map(\.name)).count == Self.vectors.accepted.count)
        #expect(Set(Self.vectors.refused.map(\.name)).count == Self.vectors.refused.count)
        #expect(Self.vectors.accepted.allSatisfy { ($0.text == nil) != ($0.base64 == nil) })
        #expect(Self.vectors.refused.allSatisfy { ($0.text == nil) != ($0.base64 == nil) })
    }

    @Test func corpusHasEveryProblem() {
        // But for the one that takes two gigabytes.
        let kinds = Set(JSONProblem.Kind.allCases.filter { $0 != .tooLong }.map { "\($0)" })
        #expect(Set(Self.vectors.refused.map(\.problem)) == kinds)
    }

    @Test(arguments: vectors.accepted)
    func accepts(_ vector: JSONVectors.Accepted) throws {
        let bytes = vector.bytes
        _ = try JSONScanner.scan(bytes.span)
    }

    @Test(arguments: vectors.refused)
    func refuses(_ vector: JSONVectors.Refused) {
        let bytes = vector.bytes
        do throws(JSONProblem) {
            _ = try JSONScanner.scan(bytes.span)
            Issue.record("It was accepted.")
        } catch {
            #expect("\(error.what)" == vector.problem)
            #expect(error.offset == vector.offset)
        }
    }

    @Test(arguments: vectors.refused)
    func theErrorSaysWhereAndQuotesNothing(_ vector: JSONVectors.Refused) throws {
        let bytes = vector.bytes
        let error = try #require(thrownError { try JSONDocument(scanning: bytes.span) })
        let kind = try #require(JSONProblem.Kind.allCases.first { "\($0)" == vector.problem })
        #expect(error.code == .malformedJSON)
        // Nothing but fixed text and the offset, so nothing of the payload.
        #expect(
            error.reason == "The payload is not one strict JSON object: at byte \(vector.offset), \(kind.rawValue).")
    }
}
