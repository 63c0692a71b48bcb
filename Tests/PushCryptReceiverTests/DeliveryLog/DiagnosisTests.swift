import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct DiagnosisTests {
    private static func entry(
        _ outcome: DeliveryLogEntry.Outcome, _ reason: PushCryptError.Code? = nil
    ) -> DeliveryLogEntry {
        DeliveryLogEntry(
            outcome: outcome, began: .example, ended: outcome == .unfinished ? nil : .example, reason: reason,
            keyID: nil,
            fingerprint: nil)
    }

    private static func diagnoses(_ entries: [DeliveryLogEntry]) -> [Diagnosis] {
        DeliverySummary(entries, now: .example + 1000).diagnoses
    }

    @Test func whereAllIsWellThereIsNothingToSay() {
        #expect(Self.diagnoses([Self.entry(.opened), Self.entry(.unsealed)]) == [])
    }

    @Test func anExtensionThatHasNeverRunIsToldFromOneThatDidNotRunAtTimes() {
        let never = Self.diagnoses([Self.entry(.notRun)])
        let sometimes = Self.diagnoses([Self.entry(.notRun), Self.entry(.opened)])
        #expect(never.map(\.finding) == ["extension-did-not-run"])
        #expect(sometimes.map(\.finding) == ["extension-did-not-run"])
        #expect(never.map(\.advice) == [DiagnosisAdvice.neverRan])
        #expect(sometimes.map(\.advice) == [DiagnosisAdvice.didNotRun])
        #expect(DiagnosisAdvice.neverRan != DiagnosisAdvice.didNotRun)
    }

    @Test func anExtensionThatRanAndFailedIsNotOneThatDidNotRun() {
        for outcome in DeliveryLogEntry.Outcome.allCases where outcome != .notRun {
            let reason = outcome == .fallback ? PushCryptError.Code.unknownKey : nil
            #expect(!Self.diagnoses([Self.entry(outcome, reason)]).map(\.finding).contains("extension-did-not-run"))
        }
        #expect(Self.diagnoses([Self.entry(.unfinished)]).map(\.finding) == ["extension-did-not-finish"])
        #expect(Self.diagnoses([Self.entry(.unfinished)]).map(\.advice) == [DiagnosisAdvice.didNotFinish])
        #expect(Self.diagnoses([Self.entry(.fallback, .unknownKey)]).map(\.finding) == ["unknown-key"])
    }

    @Test func anExtensionThatIsJustRunningHasRun() {
        let summary = DeliverySummary([Self.entry(.notRun), Self.entry(.unfinished)], now: .example + 1)
        #expect(summary.diagnoses.map(\.advice) == [DiagnosisAdvice.didNotRun])
    }

    @Test func theMostFrequentComesFirstAndThenTheAlphabet() {
        let entries =
            [Self.entry(.notRun), Self.entry(.unfinished), Self.entry(.opened, .replayGuardUnavailable)]
            + [Self.entry(.fallback, .unsigned), Self.entry(.fallback, .decryptionFailed)]
            + (0..<3).map { _ in Self.entry(.fallback, .expired) }
            + (0..<2).map { _ in Self.entry(.fallback, .replayed) }
        let diagnoses = Self.diagnoses(entries.shuffled())
        #expect(
            diagnoses.map(\.finding) == [
                "expired", "replayed", "decryption-failed", "extension-did-not-finish", "extension-did-not-run",
                "replay-guard-unavailable", "unsigned",
            ])
        #expect(diagnoses.map(\.count) == [3, 2, 1, 1, 1, 1, 1])
    }

    // MARK: What to do

    @Test func anUnknownReasonIsToBeLookedUp() {
        for code in ["other", "my-own-code"] {
            let diagnosis = Self.diagnoses([Self.entry(.fallback, .init(rawValue: code))]).first
            #expect(diagnosis?.finding == code)
            #expect(diagnosis?.advice.contains("Look up this code") == true)
        }
    }

    /// The codes that the sources throw, and the constants' words.
    private static func codes(_ files: (String) -> Bool) throws -> Set<PushCryptError.Code> {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/") + "/Sources"
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: root + "/" + path) ?? Data(), as: UTF8.self)
        }
        let words = Dictionary(
            uniqueKeysWithValues: text("PushCryptCore/ErrorCode.swift")
                .matches(of: /static let (\w+) = Self\(rawValue: "([a-z0-9-]+)"\)/).map { (String($0.1), String($0.2)) }
        )
        let paths = (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && files($0) }
        #expect(paths.count > 5)
        let names = paths.flatMap { text($0).matches(of: /PushCryptError\(\s*\.(\w+)/).map { String($0.1) } }
        return Set(try names.map { PushCryptError.Code(rawValue: try #require(words[$0])) })
    }

    /// Everything that runs between a delivered notification and what is shown, and what makes a policy's keys.
    private static func isOnTheWay(_ path: String) -> Bool {
        [
            "PushCryptReceiver/Opening/", "PushCryptReceiver/Delivery/",
            "PushCryptReceiver/DeviceKeys/KeyringStore",
            "PushCryptReceiver/DeviceKeys/KeyStore",
            "PushCryptReceiver/Keychain/", "PushCryptCore/Wire/",
            "PushCryptCore/Sodium/", "PushCryptCore/JSON/", "PushCryptCore/Keys/",
        ].contains { path.hasPrefix($0) }
    }

    /// What is thrown there and is never an entry's reason.
    private static let elsewhere: Set<PushCryptError.Code> = [
        // Handed to the app's log, not the log of outcomes.
        .customizationFailed, .deliveryLogUnavailable,
        // Inside of a guard or a key store, whose errors get other codes.
        .fileSystemError, .keyPairMismatch, .wrongPassphrase,
        // Senders and apps.
        .payloadTooLarge, .invalidPayload, .malformedRegistration,
    ]

    @Test func everyReasonThatThereCanBeHasATextOfItsOwn() throws {
        let possible = try Self.codes(Self.isOnTheWay).subtracting(Self.elsewhere)
        #expect(possible.count >= 22)
        #expect(possible == Set(DiagnosisAdvice.texts.keys))
    }

    @Test func everyTextSaysWhatToDo() {
        let texts =
            [DiagnosisAdvice.neverRan, DiagnosisAdvice.didNotRun, DiagnosisAdvice.didNotFinish]
            + DiagnosisAdvice.texts.values
        for text in texts {
            #expect(text.count > 40 && text.hasSuffix("."), "\(text)")
            #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
        }
    }
}
