import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct DeliverySummaryTests {
    private static func entry(
        _ outcome: PushOutcome.Kind, at seconds: Double, ended: Double? = nil,
        _ reason: PushCryptError.Code? = nil
    ) -> DeliveryLogEntry {
        DeliveryLogEntry(
            outcome: outcome, began: .example + seconds, ended: ended.map { .example + $0 },
            reason: reason,
            fingerprint: nil)
    }

    private static let start = UInt64(1_767_225_600)

    private static let entries = [
        entry(.fallback, at: 10, ended: 11, .unknownKey), entry(.opened, at: 20, ended: 22.9),
        entry(.opened, at: 25, ended: 26, .replayGuardUnavailable),
        entry(.notRun, at: 5, ended: 90),
        entry(.fallback, at: 30, ended: 31, .unknownKey), entry(.unfinished, at: 40),
        entry(.unsealed, at: 50, ended: 51), entry(.repeated, at: 21, ended: 21.5),
        entry(.fallback, at: 60, ended: 81, .deadlinePassed),
    ]

    @Test("Entries are counted by outcome and reason") func entriesAreCountedByOutcomeAndReason() {
        let summary = DeliverySummary(Self.entries, now: .example + 1000)
        #expect(summary.opened == 2 && summary.unsealed == 1 && summary.fallback == 3)
        #expect(summary.unfinished == 1 && summary.notRun == 1)
        #expect(
            summary.reasons == [.unknownKey: 2, .replayGuardUnavailable: 1, .deadlinePassed: 1])
        #expect(summary.lastSuccess?.secondsSince1970 == Self.start + 26)
        #expect(summary.lastRun?.secondsSince1970 == Self.start + 60)
        #expect(summary.since?.secondsSince1970 == Self.start + 5)
    }

    @Test("An empty log has an empty summary") func emptyLogHasAnEmptySummary() throws {
        let summary = DeliverySummary([], now: .example)
        #expect(summary.lastSuccess == nil && summary.lastRun == nil && summary.since == nil)
        #expect(summary.diagnoses == [])
    }

    @Test(
        "An extension that has just begun may still run",
        arguments: [(0.0, 0), (1, 0), (59.9, 0), (60, 1), (86_400, 1), (-1, 1)])
    func extensionThatHasJustBegunMayStillRun(_ later: Double, _ unfinished: Int) {
        let summary = DeliverySummary([Self.entry(.unfinished, at: 0)], now: .example + later)
        #expect(summary.unfinished == unfinished)
        #expect(summary.lastRun?.secondsSince1970 == Self.start, "It also counts as a run.")
    }

    @Test("The JSON has stable names") func jsonHasStableNames() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        let json = { String(decoding: try encoder.encode($0 as DeliverySummary), as: UTF8.self) }
        let expected =
            #"{"dropped":0,"fallback":3,"last-run":1767225660,"last-success":1767225626,"not-run":1,"opened":2,"#
            + #""reasons":{"deadline-passed":1,"replay-guard-unavailable":1,"unknown-key":2},"repeated":1,"since":1767225605,"#
            + #""unfinished":1,"unsealed":1}"#
        #expect(try json(DeliverySummary(Self.entries, now: .example + 1000)) == expected)
        #expect(
            try json(DeliverySummary([], now: .example))
                == #"{"dropped":0,"fallback":0,"not-run":0,"opened":0,"reasons":{},"repeated":0,"unfinished":0,"unsealed":0}"#
        )
    }
}
