internal import PushCryptCore
internal import PushCryptPayload

// Background pushes wake the app and show nothing
// (https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app).
extension RuleCheck {
    mutating func checkBackground() {
        guard let aps = outline.aps, kind(aps) == .object else { return }
        // The system takes `true` too.
        if !isOne(outline[.contentAvailable]), !isTrue(outline[.contentAvailable]) {
            report(.contentAvailableMissing, at: .contentAvailable)
        }
        for key in [PayloadKey.alert, .badge, .sound] where isPresent(key) {
            report(.backgroundWithAlert, at: key)
        }
    }

    /// An alert may wake the app as well; the system decides that by what travels.
    package mutating func checkWakeUp(_ exposedKeys: Set<ExposedKey>) {
        guard type == .alert, !exposedKeys.contains(.contentAvailable),
            isOne(outline[.contentAvailable]) || isTrue(outline[.contentAvailable])
        else { return }
        report(.contentAvailableSealed, at: .contentAvailable)
    }
}
