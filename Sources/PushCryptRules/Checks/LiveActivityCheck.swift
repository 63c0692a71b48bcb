internal import PushCryptCore
internal import PushCryptPayload

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
            guard name != Envelope.payloadKey, !isOfLiveActivities(name, in: parent, member) else { continue }
            let place = Finding.Place(parent.path + [name])
            report(.liveActivityUnknownKey, at: place)
        }
        checkLines()
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
        for key in [PayloadKey.titleLocArgs, .subtitleLocArgs, .locArgs] where isPresent(key) {
            report(.liveActivityAlertVisible, at: key)
        }
    }

    /// Title, subtitle and body may be dictionaries with a key and its arguments.
    private mutating func checkLines() {
        for line in [PayloadKey.title, .subtitle, .body] {
            guard let object = outline[line]?.valueObject, object >= 0 else { continue }
            for member in outline.document.members(of: object) {
                let name = name(member)
                let place = Finding.Place(line.path + [name])
                switch name {
                case PayloadKey.locKey.rawValue: break
                case PayloadKey.locArgs.rawValue: report(.liveActivityAlertVisible, at: place)
                default: report(.liveActivityUnknownKey, at: place)
                }
            }
        }
    }

    /// Apple's keys that have no property here, and belong to Live Activities: each with a value that cannot hold a state.
    private func isOfLiveActivities(
        _ name: String, in parent: PayloadKey.Parent, _ member: JSONDocument.Member
    ) -> Bool {
        switch (parent, name) {
        case (.aps, "input-push-token"): kind(member) == .number
        case (.aps, "input-push-channel"), (.alert, "sound"): kind(member) == .string
        default: false
        }
    }

    /// A member's name, escapes resolved.
    func name(_ member: JSONDocument.Member) -> String {
        String(decoding: JSONText.decoded(bytes.span, member.key), as: UTF8.self)
    }
}
