internal import PushCryptLint
internal import PushCryptSender

/// The warnings about a payload that is sealed.
struct SealingWarnings {
    let sealer: Sealer
    let headers: APNsHeaders

    /// Displays the findings in a payload, and the fields of its alert that were truncated.
    func display(for json: [UInt8], truncations: [Truncation]) throws(PushCryptError) {
        for finding in try sealer.lint(json: json, headers: headers).findings {
            let line = LintReport.line(finding)
            if finding.rule.severity == .note { Output.hint(line) } else { Output.warning(line) }
        }
        for cut in truncations {
            Output.warning(
                """
                the \(cut.field.rawValue) was too long: \(cut.keptCharacters) characters are left, \
                \(cut.removedCharacters) were cut
                """)
        }
    }
}
