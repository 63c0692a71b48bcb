internal import PushCryptCore
internal import PushCryptPayload

// Keys that nobody reads any more, or never did.
extension RuleCheck {
    package mutating func checkKeys() {
        // In a Live Activity push there is a harder rule.
        for (parent, member) in outline.unknown where type != .liveActivity {
            let name = name(member)
            guard name != Envelope.payloadKey, !PayloadKey.isOther(name, in: parent) else { continue }
            report(.unknownKey, at: Finding.Place(parent.path + [name]))
        }
        if outline[.actionLocKey] != nil { report(.deprecatedKey, at: .actionLocKey) }
        if let sound = outline[.sound], kind(sound) == .object, !isOne(outline[.critical]), !isTrue(outline[.critical])
        {
            report(.soundNotCritical, at: .sound)
        }
        let keys: [PayloadKey] = [
            .staleDate, .contentState, .timestamp, .event, .dismissalDate, .attributesType, .attributes,
        ]
        guard type != .liveActivity else { return }
        for key in keys where outline[key] != nil { report(.liveActivityKeyElsewhere, at: key) }
    }
}
