public import Foundation
public import PushCryptCore

/// Counts of the delivery log's entries, for the app's settings or for a report to its server.
///
/// ```swift
/// let log = DeliveryLog(path: "/path/of/the/app/group/pushcrypt.log")
/// let summary = DeliverySummary(try log.entries())
/// let report = try JSONEncoder().encode(summary)
/// ```
///
/// Its JSON contains counts, times and codes, and nothing that identifies a message, a key or a person.
public struct DeliverySummary: Sendable, Hashable {
    /// The number of entries with each outcome.
    ///
    /// Entries without a certain outcome have no key.
    public private(set) var counts: [DeliveryLogEntry.Outcome: Int] = [:]

    /// The number of entries with each reason.
    public private(set) var reasons: [PushCryptError.Code: Int] = [:]

    /// The time of the last displayed original; `nil` if there isn't any.
    public private(set) var lastSuccess: Date?

    /// The time at which the extension began last; `nil` if it didn't run.
    public private(set) var lastRun: Date?

    /// The beginning of the oldest entry; `nil` if there isn't any.
    public private(set) var since: Date?

    /// Counts entries.
    ///
    /// - Parameters:
    ///   - entries: The entries of ``DeliveryLog/entries()``.
    ///   - now: The current time. Entries that began within the last minute aren't counted as unfinished.
    public init(_ entries: [DeliveryLogEntry], now: Date = Date()) {
        for entry in entries {
            if entry.outcome != .notRun { lastRun = max(lastRun ?? entry.began, entry.began) }
            // The system gives an extension about 30 seconds.
            let isRunning = entry.outcome == .unfinished && (0..<60).contains(now.timeIntervalSince(entry.began))
            if isRunning { continue }
            counts[entry.outcome, default: 0] += 1
            if entry.outcome == .opened {
                let end = entry.ended ?? entry.began
                lastSuccess = max(lastSuccess ?? end, end)
            }
            if let reason = entry.reason { reasons[reason, default: 0] += 1 }
            since = min(since ?? entry.began, entry.began)
        }
    }
}

extension DeliverySummary: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Encodes the counts by outcome, the reasons by code, and the times in seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for outcome in DeliveryLogEntry.Outcome.all {
            try container.encode(counts[outcome] ?? 0, forKey: Name(stringValue: outcome.name))
        }
        try container.encode(
            Dictionary(reasons.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +),
            forKey: Name(stringValue: "reasons"))
        for (name, date) in ["since": since, "last-success": lastSuccess, "last-run": lastRun] {
            try container.encodeIfPresent(
                date.map { $0.millisecondsSince1970 / 1000 }, forKey: Name(stringValue: name))
        }
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
            Diagnosis(finding: reason.rawValue, count: count, advice: DiagnosisAdvice.text(for: reason))
        }
        let didNotRun = lastRun == nil ? DiagnosisAdvice.neverRan : DiagnosisAdvice.didNotRun
        diagnoses += [
            Diagnosis(finding: "extension-did-not-run", count: counts[.notRun] ?? 0, advice: didNotRun),
            Diagnosis(
                finding: "extension-did-not-finish", count: counts[.unfinished] ?? 0,
                advice: DiagnosisAdvice.didNotFinish),
        ].filter { $0.count > 0 }
        return diagnoses.sorted { ($1.count, $0.finding) < ($0.count, $1.finding) }
    }
}
