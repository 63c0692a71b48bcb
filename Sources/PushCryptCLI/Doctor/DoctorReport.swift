internal import PushCryptSender

/// A step from the server to the device.
enum DoctorStep: String, CaseIterable {
    case keyring
    case list
    case secret
    case recipient
    case credentials
    case push
    case answer
}

/// The result of a step.
enum DoctorResult {
    /// The step works. The text says what was checked.
    case passed(String)
    /// The step wasn't checked. The text says why, or how to.
    case skipped(String)
    case failed([DoctorFinding])

    var findings: [DoctorFinding] { if case .failed(let findings) = self { findings } else { [] } }
}

/// A broken rule, with the detail and the fix of this case.
struct DoctorFinding: Error {
    /// The fix that a finding names.
    enum Remedy {
        /// The fix of the rule.
        case rule
        /// The last sentence of the error's reason, which knows more.
        case reason
    }

    let rule: Rule
    /// The rule's message, and an error's reason or a number, without secrets.
    let message: String
    let fix: String

    init(_ rule: Rule, _ detail: String? = nil) {
        self.rule = rule
        message = [rule.message, detail].compactMap(\.self).joined(separator: " ")
        fix = rule.fix
    }

    /// Creates a finding from an error, whose reason ends with a fix of its own.
    init(_ rule: Rule, because error: PushCryptError, fix remedy: Remedy) {
        let sentences = error.reason.split(separator: ". ").map {
            $0.hasSuffix(".") ? String($0) : "\($0)."
        }
        guard sentences.count > 1, let last = sentences.last else {
            self.init(rule, error.reason)
            return
        }
        let message = ([rule.message] + sentences.dropLast()).joined(separator: " ")
        self.init(rule: rule, message: message, fix: remedy == .reason ? last : rule.fix)
    }

    private init(rule: Rule, message: String, fix: String) {
        self.rule = rule
        self.message = message
        self.fix = fix
    }

    var line: String { "\(rule.severity.rawValue): \(message) \(fix) [\(rule.id)]" }
}

/// The results of all steps.
struct DoctorReport {
    private struct Entry {
        let step: DoctorStep
        let result: DoctorResult
    }

    private var entries: [Entry] = []

    mutating func add(_ step: DoctorStep, _ result: DoctorResult) {
        entries.append(Entry(step: step, result: result))
    }

    /// Adds findings, or a step that passed with at most warnings.
    mutating func add(_ step: DoctorStep, _ findings: [DoctorFinding], passed: String) {
        add(step, findings.isEmpty ? .passed(passed) : .failed(findings))
    }

    var findings: [DoctorFinding] { entries.flatMap(\.result.findings) }

    /// A Boolean value that indicates whether a step fails, and not only warns.
    var hasErrors: Bool { findings.contains { $0.rule.severity == .error } }

    /// One line per result.
    var text: String {
        entries.flatMap { entry in Self.lines(entry.result).map { "\(entry.step.rawValue): \($0)" }
        }
        .map(SafeText.onOneLine).joined(separator: "\n")
    }

    private static func lines(_ result: DoctorResult) -> [String] {
        switch result {
        case .passed(let what): ["ok: \(what)"]
        case .skipped(let reason): ["not checked: \(reason)"]
        case .failed(let findings): findings.map(\.line)
        }
    }

    func json() -> String {
        JSONText.pretty(["steps": .array(entries.map { Self.value($0.step, $0.result) })])
    }

    private static func value(_ step: DoctorStep, _ result: DoctorResult) -> JSONValue {
        var members: [String: JSONValue] = ["step": .string(step.rawValue)]
        switch result {
        case .passed(let what):
            members["result"] = "ok"
            members["checked"] = .string(what)
        case .skipped(let reason):
            members["result"] = "not-checked"
            members["reason"] = .string(reason)
        case .failed(let findings):
            members["result"] =
                findings.contains { $0.rule.severity == .error } ? "error" : "warning"
            members["findings"] = .array(
                findings.map { finding in
                    .object(
                        LintReport.members(finding.rule, message: finding.message, fix: finding.fix)
                    )
                })
        }
        return .object(members)
    }
}
