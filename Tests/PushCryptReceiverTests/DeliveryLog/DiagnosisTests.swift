import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct DiagnosisTests {
    private static func entry(
        _ outcome: PushOutcome.Kind, _ reason: PushCryptError.Code? = nil
    ) -> DeliveryLogEntry {
        DeliveryLogEntry(
            outcome: outcome, began: .example, ended: outcome == .unfinished ? nil : .example,
            reason: reason,
            fingerprint: nil)
    }

    private static func diagnoses(_ entries: [DeliveryLogEntry]) -> [Diagnosis] {
        DeliverySummary(entries, now: .example + 1000).diagnoses
    }

    @Test("A log of successes has no diagnosis") func logOfSuccessesHasNoDiagnosis() {
        #expect(Self.diagnoses([Self.entry(.opened), Self.entry(.unsealed)]) == [])
    }

    @Test("An extension that never ran differs from one that ran at times")
    func extensionThatNeverRanDiffersFromOneThatRanAtTimes() {
        let never = Self.diagnoses([Self.entry(.notRun)])
        let sometimes = Self.diagnoses([Self.entry(.notRun), Self.entry(.opened)])
        #expect(never.map(\.finding) == ["extension-did-not-run"])
        #expect(sometimes.map(\.finding) == ["extension-did-not-run"])
        #expect(never.map(\.advice) == [DiagnosisAdvice.neverRan])
        #expect(sometimes.map(\.advice) == [DiagnosisAdvice.didNotRun])
        #expect(DiagnosisAdvice.neverRan != DiagnosisAdvice.didNotRun)
    }

    @Test("An extension that failed isn't one that didn't run")
    func extensionThatFailedIsntOneThatDidntRun() {
        let outcomes: [PushOutcome.Kind] = [
            .opened, .reduced, .repeated, .kept, .dropped, .withdrawn, .withdrawal, .challenge,
            .replayed, .unsealed, .fallback, .unfinished, .logStarted,
        ]
        for outcome in outcomes {
            let reason = outcome == .fallback ? PushCryptError.Code.unknownKey : nil
            #expect(
                !Self.diagnoses([Self.entry(outcome, reason)]).map(\.finding).contains(
                    "extension-did-not-run"))
        }
        #expect(
            Self.diagnoses([Self.entry(.unfinished)]).map(\.finding) == ["extension-did-not-finish"]
        )
        #expect(
            Self.diagnoses([Self.entry(.unfinished)]).map(\.advice) == [
                DiagnosisAdvice.didNotFinish
            ])
        #expect(
            Self.diagnoses([Self.entry(.fallback, .unknownKey)]).map(\.finding) == ["unknown-key"])
    }

    @Test("An extension that runs now counts as a run") func extensionThatRunsNowCountsAsARun() {
        let summary = DeliverySummary(
            [Self.entry(.notRun), Self.entry(.unfinished)], now: .example + 1)
        #expect(summary.diagnoses.map(\.advice) == [DiagnosisAdvice.didNotRun])
    }

    @Test("Diagnoses are sorted by frequency and then by name")
    func diagnosesAreSortedByFrequencyAndThenByName() {
        let entries =
            [
                Self.entry(.notRun), Self.entry(.unfinished),
                Self.entry(.opened, .replayGuardUnavailable),
            ]
            + [Self.entry(.fallback, .unsigned), Self.entry(.fallback, .decryptionFailed)]
            + (0..<3).map { _ in Self.entry(.fallback, .expired) }
            + (0..<2).map { _ in Self.entry(.fallback, .replayed) }
        let diagnoses = Self.diagnoses(entries.shuffled())
        #expect(
            diagnoses.map(\.finding) == [
                "expired", "replayed", "decryption-failed", "extension-did-not-finish",
                "extension-did-not-run", "replay-guard-unavailable", "unsigned",
            ])
        #expect(diagnoses.map(\.count) == [3, 2, 1, 1, 1, 1, 1])
    }

    // MARK: Advice

    @Test("The advice for an unknown reason is to look it up")
    func adviceForAnUnknownReasonIsToLookItUp() {
        for code in ["other", "my-own-code"] {
            let diagnosis = Self.diagnoses([Self.entry(.fallback, .init(rawValue: code))]).first
            #expect(diagnosis?.finding == code)
            #expect(diagnosis?.advice.contains("Look up this code") == true)
        }
    }

    /// Returns the codes that the sources throw.
    private static func codes(_ files: (String) -> Bool) throws -> Set<PushCryptError.Code> {
        let root =
            URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
            + "/Sources"
        func text(_ path: String) -> String {
            String(
                decoding: FileManager.default.contents(atPath: root + "/" + path) ?? Data(),
                as: UTF8.self)
        }
        let words = Dictionary(
            uniqueKeysWithValues: try DeclaredCode.all().map { ($0.name, $0.word) })
        let paths =
            (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && files($0) }
        #expect(paths.count > 5)
        let thrown = /(?:PushCryptError\(\s*|PushCryptError\.Code = )\.(\w+)/
        let names = paths.flatMap { text($0).matches(of: thrown).map { String($0.1) } }
        return Set(try names.map { PushCryptError.Code(rawValue: try #require(words[$0])) })
    }

    /// Returns whether a source runs between delivery and display, or parses a policy's keys.
    private static func runsBeforeDisplay(_ path: String) -> Bool {
        [
            "PushCryptReceiver/Opening/", "PushCryptReceiver/Inbox/", "PushCryptReceiver/Wire/",
            "PushCryptReceiver/Store/", "PushCryptReceiver/Keys/", "PushCryptKeyring/SignerLists/",
            "PushCryptCore/Wire/", "PushCryptCore/Base64/", "PushCryptCore/Sodium/",
            "PushCryptCore/JSON/", "PushCryptCore/Keys/",
        ].contains { path.hasPrefix($0) }
    }

    /// The codes that are thrown there and never are an entry's reason.
    private static let elsewhere: Set<PushCryptError.Code> = [
        // Events of the app's log.
        .customizationFailed, .deliveryLogUnavailable,
        // The app's own code.
        .invalidLifetime, .other,
        // Errors of a guard or a key store, which get other codes.
        .fileSystemError, .keyPairMismatch, .malformedKeyring, .wrongPassphrase,
        // Senders and apps.
        .payloadTooLarge, .invalidPayload, .malformedRegistration, .newerFormat,
        // The server's lists, when they are announced or registered.
        .unknownRoot, .wrongAudience, .staleSignerList, .conflictingSignerList, .expiredSignerList,
        .unlistedSigningKey,
        // The server's own keys, when one is revoked.
        .riskyChange, .wrongKeyState,
    ]

    @Test("Each possible reason has its own advice") func eachPossibleReasonHasItsOwnAdvice() throws
    {
        let possible = try Self.codes(Self.runsBeforeDisplay).subtracting(Self.elsewhere)
        #expect(possible.count >= 22)
        #expect(possible == Set(DiagnosisAdvice.texts.keys))
    }

    @Test("Each advice is one line of sentences") func eachAdviceIsOneLineOfSentences() {
        let texts =
            [DiagnosisAdvice.neverRan, DiagnosisAdvice.didNotRun, DiagnosisAdvice.didNotFinish]
            + DiagnosisAdvice.texts.values
        for text in texts {
            #expect(text.count > 40 && text.hasSuffix("."), "\(text)")
            #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
        }
    }
}
