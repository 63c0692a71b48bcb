public import Foundation
public import PushCryptCore

/// Counts of the delivery log's entries, for the app's settings or for a report to its server.
///
/// ```swift
/// let summary = try inbox.summary()
/// print("\(summary.opened) opened, \(summary.fallback) not opened")
/// for (code, count) in summary.reasons {
///     print("\(code): \(count)")
/// }
/// let report = try JSONEncoder().encode(summary)
/// ```
///
/// Its JSON contains the counts by outcome, the reasons by code, and times in seconds since 1970.
/// It contains nothing that identifies a message, a key or a person.
public struct DeliverySummary: Sendable, Hashable {
    /// The number of notifications that displayed the original, or the part that the user has
    /// chosen.
    public let opened: Int
    /// The number of notifications that displayed a text again, silently, because their push came
    /// twice or late.
    public let repeated: Int
    /// The number of opened messages that weren't displayed, by the app's decision or because of a
    /// withdrawal.
    public let dropped: Int
    /// The number of notifications that weren't sealed, and that the app allowed.
    public let unsealed: Int
    /// The number of notifications that displayed the fallback.
    public let fallback: Int
    /// The number of notifications that the extension began and didn't finish.
    public let unfinished: Int
    /// The number of notifications that the app found displayed, and that the extension didn't see.
    public let notRun: Int
    /// The number of notifications by the reason for their fallback, or for an opening without its
    /// replay guard.
    public let reasons: [PushCryptError.Code: Int]
    /// The number of messages that each foreign opener has opened, by its name.
    ///
    /// If a format is missing here for some weeks, its server's pushes have died out.
    public let foreign: [String: Int]
    /// The end of the last entry with an opened message, in whole seconds; `nil` if there isn't
    /// one.
    public let lastSuccess: Date?
    /// The last time that the extension began, in whole seconds; `nil` if it never ran.
    public let lastRun: Date?
    /// The beginning of the oldest entry, in whole seconds; `nil` if the log is empty.
    public let since: Date?

    init(_ entries: [DeliveryLogEntry], now: Date) {
        // The system gives an extension about 30 seconds, so it may still run.
        let ended = entries.filter {
            $0.outcome != .unfinished || !(0..<60).contains(now.timeIntervalSince($0.began))
        }
        func count(_ outcomes: PushOutcome.Kind...) -> Int {
            ended.count { outcomes.contains($0.outcome) }
        }
        let failed = ended.count { $0.outcome == .kept && $0.reason != nil }
        opened = count(.opened, .reduced, .challenge)
        repeated = count(.repeated, .kept) - failed
        dropped = count(.dropped, .withdrawn, .withdrawal)
        unsealed = count(.unsealed)
        fallback = count(.fallback, .replayed) + failed
        unfinished = count(.unfinished)
        notRun = count(.notRun)
        reasons = Dictionary(ended.compactMap(\.reason).map { ($0, 1) }, uniquingKeysWith: +)
        foreign = Dictionary(ended.compactMap(\.opener).map { ($0, 1) }, uniquingKeysWith: +)
        let successes = ended.filter(\.isSuccess)
        lastSuccess = successes.map { $0.ended ?? $0.began }.max()?.inWholeSeconds
        lastRun = entries.filter { $0.outcome != .notRun }.map(\.began).max()?.inWholeSeconds
        since = ended.map(\.began).min()?.inWholeSeconds
    }
}

extension DeliverySummary: Encodable {
    private enum CodingKeys: String, CodingKey {
        case opened, repeated, dropped, unsealed, fallback, unfinished, notRun = "not-run"
        case reasons, foreign, since, lastSuccess = "last-success", lastRun = "last-run"
    }

    /// Encodes the counts, the reasons by code, and times in seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(opened, forKey: .opened)
        try members.encode(repeated, forKey: .repeated)
        try members.encode(dropped, forKey: .dropped)
        try members.encode(unsealed, forKey: .unsealed)
        try members.encode(fallback, forKey: .fallback)
        try members.encode(unfinished, forKey: .unfinished)
        try members.encode(notRun, forKey: .notRun)
        let counts = Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
        try members.encode(counts, forKey: .reasons)
        if !foreign.isEmpty { try members.encode(foreign, forKey: .foreign) }
        try members.encodeIfPresent(lastSuccess?.secondsSince1970, forKey: .lastSuccess)
        try members.encodeIfPresent(lastRun?.secondsSince1970, forKey: .lastRun)
        try members.encodeIfPresent(since?.secondsSince1970, forKey: .since)
    }
}

extension DeliveryLogEntry {
    /// A Boolean value that indicates whether a message was opened, with its replay guard or
    /// without it.
    fileprivate var isSuccess: Bool {
        switch outcome {
        case .opened, .reduced, .repeated, .dropped, .withdrawn, .withdrawal, .challenge: true
        case .kept: reason == nil
        default: false
        }
    }
}

extension Date {
    /// The time without the fraction of its second.
    fileprivate var inWholeSeconds: Date {
        Date(timeIntervalSince1970: TimeInterval(secondsSince1970))
    }
}

/// A problem with an app's notifications, and advice for its developers.
public struct Diagnosis: Sendable, Hashable {
    /// A stable name: `extension-did-not-run`, `extension-did-not-finish`, or the code of an error.
    public let finding: String

    /// The number of notifications with the problem.
    public let count: Int

    /// The advice, in one or two English sentences.
    public let advice: String
}

extension DeliverySummary {
    /// The problems, the most frequent first; empty if there aren't any.
    public var diagnoses: [Diagnosis] {
        var diagnoses = reasons.map { reason, count in
            Diagnosis(
                finding: reason.rawValue, count: count, advice: DiagnosisAdvice.text(for: reason))
        }
        let didNotRun = lastRun == nil ? DiagnosisAdvice.neverRan : DiagnosisAdvice.didNotRun
        diagnoses += [
            Diagnosis(finding: "extension-did-not-run", count: notRun, advice: didNotRun),
            Diagnosis(
                finding: "extension-did-not-finish", count: unfinished,
                advice: DiagnosisAdvice.didNotFinish),
        ].filter { $0.count > 0 }
        return diagnoses.sorted { ($1.count, $0.finding) < ($0.count, $1.finding) }
    }
}
