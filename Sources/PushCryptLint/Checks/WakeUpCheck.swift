internal import PushCryptPayload
internal import PushCryptSender

/// Checks of alerts that do more than the system can see.
extension RuleCheck {
    /// Checks that the system can see the `content-available` of an alert.
    mutating func checkWakeUp(_ exposedKeys: Set<ExposedKey>) {
        if type == .alert, !exposedKeys.contains(.contentAvailable), isSet(.contentAvailable) {
            report(.contentAvailableSealed, at: .contentAvailable)
        }
        let path = ["aps", "ptt-push-type"]
        if type == .pushToTalk,
            outline.unknown.contains(where: { $0.parent.path + [name($0.member)] == path })
        {
            report(.serviceUpdateSealed, at: Finding.Location(path))
        }
    }
}
