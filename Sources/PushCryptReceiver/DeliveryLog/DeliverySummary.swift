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
    let opened: Int
    let dropped: Int
    let unsealed: Int
    let fallback: Int
    let unfinished: Int
    let notRun: Int
    let reasons: [String: Int]
    /// The end of the last entry with an opened message.
    let lastSuccess: UInt64?
    /// The last beginning of the extension.
    let lastRun: UInt64?
    /// The beginning of the oldest entry.
    let since: UInt64?

    private enum CodingKeys: String, CodingKey {
        case opened, dropped, unsealed, fallback, unfinished, notRun = "not-run"
        case reasons, since, lastSuccess = "last-success", lastRun = "last-run"
    }

    init(_ entries: [DeliveryLogEntry], now: Date) {
        // The system gives an extension about 30 seconds, so it may still run.
        let ended = entries.filter {
            $0.outcome != .unfinished || !(0..<60).contains(now.timeIntervalSince($0.began))
        }
        func count(_ outcome: DeliveryLogEntry.Outcome) -> Int { ended.count { $0.outcome == outcome } }
        func seconds(_ date: Date) -> UInt64 { date.millisecondsSince1970 / 1000 }
        opened = count(.opened)
        dropped = count(.dropped)
        unsealed = count(.unsealed)
        fallback = count(.fallback)
        unfinished = count(.unfinished)
        notRun = count(.notRun)
        reasons = Dictionary(ended.compactMap(\.reason).map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        lastSuccess = ended.filter { [.opened, .dropped].contains($0.outcome) }.map { seconds($0.ended ?? $0.began) }
            .max()
        lastRun = entries.filter { $0.outcome != .notRun }.map { seconds($0.began) }.max()
        since = ended.map { seconds($0.began) }.min()
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
