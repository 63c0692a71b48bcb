internal import PushCryptCore
internal import PushCryptPayload

// What an alert needs so that the notification service extension runs, and so that the system heeds what it makes.
extension RuleCheck {
    private static let texts: [PayloadKey] = [.body, .title, .subtitle, .locKey, .titleLocKey, .subtitleLocKey]

    mutating func checkAlert() {
        guard let aps = outline.aps, kind(aps) == .object else { return }
        guard let alert = outline[.alert], kind(alert) == .object else {
            // A bare string is the body. Anything else is no alert; of a wrong type the shape's check tells.
            if let alert = outline[.alert], kind(alert) != .null, kind(alert) != .string { return }
            if !hasText(outline[.alert]) { report(.noAlertText, at: .alert) }
            return
        }
        if !Self.texts.contains(where: { hasText(outline[$0]) }) { report(.noAlertText, at: .alert) }
    }
}
