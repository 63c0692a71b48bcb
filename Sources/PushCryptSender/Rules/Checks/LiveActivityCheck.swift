// Live Activities: keys that need each other
// (https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications).
extension RuleCheck {
    mutating func checkLiveActivity() {
        for member in outline.custom(in: bytes.span)
        where !outline.document.isNamed(Envelope.payloadName, member, in: bytes.span) {
            let place = Finding.Place([name(member)])
            report(.liveActivityCustomKey, at: place)
        }
        // Most of such a push travels as it is, so a state under a misspelt name would be sent in the clear.
        for (parent, member) in outline.unknown {
            let name = name(member)
            guard name != Envelope.payloadKey, !PayloadKey.isOther(name, in: parent) else { continue }
            let place = Finding.Place(parent.path + [name])
            report(.liveActivityUnknownKey, at: place)
        }
        guard let aps = outline.aps, kind(aps) == .object else { return }
        if !isPresent(.event) { report(.eventMissing, at: .event) }
        if !isPresent(.timestamp) { report(.timestampMissing, at: .timestamp) }
        let event = text(outline[.event]).flatMap(LiveActivityEvent.init)
        if event != .end, !isPresent(.contentState) { report(.contentStateMissing, at: .contentState) }
        if event == .start || isPresent(.attributes) || isPresent(.attributesType) {
            if !isPresent(.attributes) { report(.attributesMissing, at: .attributes) }
            if !isPresent(.attributesType) { report(.attributesTypeMissing, at: .attributesType) }
        }
        guard isComplete else { return }
        if event == .start, !isPresent(.alert) { report(.startAlertMissing, at: .alert) }
        if event != .end, isPresent(.dismissalDate) { report(.dismissalWithoutEnd, at: .dismissalDate) }
        for key in [PayloadKey.title, .subtitle, .body] where hasText(outline[key]) {
            report(.liveActivityAlertVisible, at: key)
        }
        if let alert = outline[.alert], kind(alert) == .string, hasText(alert) {
            report(.liveActivityAlertVisible, at: .alert)
        }
    }

    /// A member's name, escapes resolved.
    func name(_ member: JSONDocument.Member) -> String {
        String(decoding: JSONText.decoded(bytes.span, member.key), as: UTF8.self)
    }
}
