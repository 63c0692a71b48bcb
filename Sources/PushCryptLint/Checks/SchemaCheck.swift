internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// Checks of keys without effect.
extension RuleCheck {
    /// Checks for keys without effect.
    mutating func checkKeys() {
        // A Live Activity push has a stricter rule.
        for unknown in outline.unknown where type != .liveActivity {
            let name = name(unknown.member)
            guard name != Envelope.payloadKey, !PayloadKey.isOther(name, in: unknown.parent) else {
                continue
            }
            report(
                .unknownKey, at: Finding.Location(unknown.parent.path + [name]),
                fix: PayloadKey.fix(ofNearMiss: name, in: unknown.parent))
        }
        if outline[.actionLocKey] != nil { report(.deprecatedKey, at: .actionLocKey) }
        if let sound = outline[.sound], sound.kind == .object, !isSet(.critical) {
            report(.soundNotCritical, at: .sound)
        }
        let keys: [PayloadKey] = [
            .staleDate, .contentState, .timestamp, .event, .dismissalDate, .attributesType,
            .attributes, .inputPushToken, .inputPushChannel,
        ]
        for key in keys where type != .liveActivity && outline[key] != nil {
            report(.liveActivityKeyElsewhere, at: key)
        }
    }
}
