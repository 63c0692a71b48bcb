import Foundation
import PushCryptTesting
import Testing

/// Tests of `keys list` and `keys public`.
@Suite(.toolThreads) struct KeysListTests {
    private let keys: KeyDirectory

    init() throws {
        keys = try KeyDirectory()
    }

    @Test("Every key has a line") func everyKeyHasALine() throws {
        let first = try keys.create()
        let second = try keys.create()
        let third = try keys.addPending()
        let run = try keys.run("list")
        #expect(run.status == 0)
        let lines = run.text.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        #expect(lines[0].joined(separator: " ") == "ID USE STATE AGE OPENS UNTIL")
        #expect(
            lines.dropFirst().map { String($0[0]) }
                == [second.keyID, third.keyID, first.keyID].map(\.description))
        #expect(
            lines.dropFirst().map { $0[1...2].joined(separator: " ") } == [
                "enc primary", "enc pending", "enc retired",
            ])
        #expect(
            lines.dropFirst().map { $0[3...4].joined(separator: " ") } == [
                "0 days", "0 days", "0 days",
            ])
        #expect(lines[1].last == "-" && lines[2].last == "-")
        let day = Date().addingTimeInterval(32 * 86_400).formatted(.iso8601.year().month().day())
        #expect(lines[3].last == day[...])
        try keys.expectNothingSecret(run)
    }

    @Test("Due keys are marked") func dueKeysAreMarked() throws {
        _ = try keys.create()
        _ = try keys.create()
        try keys.age(days: 33)
        let lines = try keys.run("list").text.split(separator: "\n")
        #expect(lines.last?.hasSuffix(" (due)") == true)
        #expect(lines.last?.contains("33 days") == true)
    }

    @Test("The list is available as JSON") func theListIsAvailableAsJSON() throws {
        let first = try keys.create()
        let second = try keys.create()
        let run = try keys.run("list", "--json")
        let list = try JSONValue(parsing: Array(run.output))
        #expect(list["generation"] == 2)
        let entries = try #require(list["keys"]?.arrayValue)
        #expect(entries.map { $0["id"] } == [second, first].map { .string("\($0.keyID)") })
        #expect(entries.map { $0["kid"] } == [second, first].map { .string("\($0.kid)") })
        #expect(entries.map { $0["state"] } == ["primary", "retired"])
        #expect(entries.map { $0["use"] } == ["enc", "enc"])
        #expect(entries.map { $0["ageInDays"] } == [0, 0])
        let retired = try #require(entries[1]["retired"]?.intValue)
        #expect(entries[1]["expiration"]?.intValue == retired + 32 * 24 * 3600)
        #expect(entries[0]["retired"] == nil && entries[0]["expiration"] == nil)
        try keys.expectNothingSecret(run)
    }

    @Test("All public keys are printed on request") func allPublicKeysArePrintedOnRequest() throws {
        let first = try keys.create()
        let second = try keys.addPending()
        #expect(try keys.run("public").text == first.jwk + "\n")
        let all = try keys.run("public", "--all")
        #expect(all.text == first.jwk + "\n" + second.jwk + "\n")
        try keys.expectNothingSecret(all)
    }
}
