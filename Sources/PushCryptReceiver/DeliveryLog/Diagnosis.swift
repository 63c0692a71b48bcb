/// What is wrong with an app's notifications, and what to do.
public struct Diagnosis: Sendable, Hashable {
    /// What is wrong: a short stable word, `extension-did-not-run`, `extension-did-not-finish`, or the code of an error.
    public let finding: String

    /// How many notifications it concerns.
    public let count: Int

    /// What to do about it, in one or two English sentences, for developers.
    public let advice: String
}

extension DeliverySummary {
    /// What is wrong, the most frequent first; nothing where all is well.
    public var diagnoses: [Diagnosis] {
        var diagnoses: [Diagnosis] = []
        if notRun > 0 {
            diagnoses.append(
                Diagnosis(
                    finding: "extension-did-not-run", count: notRun,
                    advice: lastRun == nil ? DiagnosisAdvice.neverRan : DiagnosisAdvice.didNotRun))
        }
        if unfinished > 0 {
            diagnoses.append(
                Diagnosis(
                    finding: "extension-did-not-finish", count: unfinished, advice: DiagnosisAdvice.didNotFinish))
        }
        for (reason, count) in reasons {
            diagnoses.append(
                Diagnosis(finding: reason.rawValue, count: count, advice: DiagnosisAdvice.text(for: reason)))
        }
        return diagnoses.sorted { ($1.count, $0.finding) < ($0.count, $1.finding) }
    }
}
