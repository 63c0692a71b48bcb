/// A fact about a keyring, its list, its recipients or its backup that an operator should know.
struct KeyringFinding {
    enum Severity: String {
        /// The operator has to act.
        case warning
        case hint
    }

    let severity: Severity
    /// The name for scripts, which stays the same if the text changes.
    let code: String
    let text: String

    static func warning(_ code: String, _ text: String) -> Self {
        Self(severity: .warning, code: code, text: text)
    }

    static func hint(_ code: String, _ text: String) -> Self {
        Self(severity: .hint, code: code, text: text)
    }

    /// Writes the finding to standard error.
    func display() {
        switch severity {
        case .warning: Output.warning(text)
        case .hint: Output.hint(text)
        }
    }
}
