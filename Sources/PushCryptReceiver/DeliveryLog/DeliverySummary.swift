internal import Foundation

/// Counts of the delivery log's entries, for the app's settings or for a report to its server.
///
/// ```swift
/// let log = DeliveryLog(path: "/path/of/the/app/group/pushcrypt.log")
/// let report = try JSONEncoder().encode(log.summary())
/// ```
///
/// Its JSON contains the counts by outcome, the reasons by code, and times in seconds since 1970. It contains nothing that
/// identifies a message, a key or a person.
public struct DeliverySummary: Sendable, Hashable, Encodable {
    private(set) var opened = 0
    private(set) var unsealed = 0
    private(set) var fallback = 0
    private(set) var unfinished = 0
    private(set) var notRun = 0
    private(set) var reasons: [String: Int] = [:]
    /// The end of the last entry with an original.
    private(set) var lastSuccess: UInt64?
    /// The last beginning of the extension.
    private(set) var lastRun: UInt64?
    /// The beginning of the oldest entry.
    private(set) var since: UInt64?

    private enum CodingKeys: String, CodingKey {
        case opened, unsealed, fallback, unfinished, notRun = "not-run"
        case reasons, since, lastSuccess = "last-success", lastRun = "last-run"
    }

    init(_ entries: [DeliveryLogEntry], now: Date) {
        for entry in entries {
            let began = entry.began.millisecondsSince1970 / 1000
            if entry.outcome != .notRun { lastRun = max(lastRun ?? began, began) }
            // The system gives an extension about 30 seconds, so it may still run.
            if entry.outcome == .unfinished, (0..<60).contains(now.timeIntervalSince(entry.began)) { continue }
            switch entry.outcome {
            case .opened:
                opened += 1
                let ended = (entry.ended ?? entry.began).millisecondsSince1970 / 1000
                lastSuccess = max(lastSuccess ?? ended, ended)
            case .unsealed: unsealed += 1
            case .fallback: fallback += 1
            case .unfinished: unfinished += 1
            case .notRun: notRun += 1
            case .logStarted: continue
            }
            if let reason = entry.reason { reasons[reason.rawValue, default: 0] += 1 }
            since = min(since ?? began, began)
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
            Diagnosis(finding: reason, count: count, advice: DiagnosisAdvice.text(for: .init(rawValue: reason)))
        }
        let didNotRun = lastRun == nil ? DiagnosisAdvice.neverRan : DiagnosisAdvice.didNotRun
        diagnoses += [
            Diagnosis(finding: "extension-did-not-run", count: notRun, advice: didNotRun),
            Diagnosis(
                finding: "extension-did-not-finish", count: unfinished, advice: DiagnosisAdvice.didNotFinish),
        ].filter { $0.count > 0 }
        return diagnoses.sorted { ($1.count, $0.finding) < ($0.count, $1.finding) }
    }
}
