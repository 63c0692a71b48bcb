internal import PushCryptSender

// The actions of notifications, which a person with the locked device can use.
extension XcodeCheck {
    /// Checks that each action requires an unlocked device.
    ///
    /// An action that opens the app needs an unlocked device, too. Options that aren't a literal
    /// aren't checked.
    mutating func checkActions() {
        for (path, source) in project.code.sorted(by: { $0.key < $1.key }) {
            for call in Self.actions(in: source) where Self.worksOnLockedDevice(call) {
                let identifier = call.firstMatch(of: /identifier:\s*"([^"]*)"/)?.output.1
                report(XcodeRule.actionOnLockScreen, at: path, key: identifier.map(String.init))
            }
        }
    }

    /// Returns the arguments of each action that a source creates.
    private static func actions(in source: String) -> [Substring] {
        source.matches(of: /\bUN(TextInput)?NotificationAction\(/).map { match in
            var depth = 1
            let arguments = source[match.range.upperBound...]
            return arguments.prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
        }
    }

    private static func worksOnLockedDevice(_ arguments: Substring) -> Bool {
        // A call has an identifier; a declaration of a type or of a function doesn't.
        guard arguments.contains("identifier:") else { return false }
        guard let options = arguments.firstMatch(of: /\boptions:\s*([^\s,)]+[^\])]*)/) else {
            return true
        }
        let value = options.output.1
        guard value.hasPrefix("[") || value.hasPrefix(".") else { return false }
        return !value.contains("authenticationRequired") && !value.contains("foreground")
    }
}
