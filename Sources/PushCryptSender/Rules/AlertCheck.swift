internal import PushCryptCore
internal import PushCryptPayload

/// Checks of alerts and background pushes
/// (https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app).
extension RuleCheck {
    /// The keys for the text of an alert, which needs at least one of them.
    static let alertTexts: Set<PayloadKey> = [
        .alert, .title, .subtitle, .body, .titleLocKey, .subtitleLocKey, .locKey,
    ]

    /// Checks for the text that makes the system run the notification service extension.
    mutating func checkAlert() {
        guard hasAPS else { return }
        let alert = outline[.alert]
        // Another rule covers wrong types.
        if let alert, ![.null, .string, .object].contains(alert.kind) { return }
        if !Self.alertTexts.contains(where: { hasText(outline[$0]) }) {
            let location = Finding.Location(PayloadKey.alert.path)
            report(.noAlertText, at: location, fix: fixOfNearMiss)
        }
    }

    /// The fix of a member that almost has the name of a text.
    private var fixOfNearMiss: String? {
        let fixes = outline.unknown.lazy.compactMap { unknown in
            PayloadKey.fix(ofNearMiss: name(unknown.member), in: unknown.parent)
        }
        return fixes.first.map { "A member's name isn't Apple's. \($0)" }
    }

    mutating func checkBackground() {
        guard hasAPS else { return }
        if !isSet(.contentAvailable) { report(.contentAvailableMissing, at: .contentAvailable) }
        for key in [PayloadKey.alert, .badge, .sound] where isPresent(key) {
            report(.backgroundWithAlert, at: key)
        }
    }
}
