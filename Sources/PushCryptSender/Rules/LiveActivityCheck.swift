internal import PushCryptCore
internal import PushCryptPayload

/// Checks of Live Activity pushes
/// (https://developer.apple.com/documentation/activitykit).
extension RuleCheck {
    mutating func checkLiveActivity() {
        checkUnknownMembers()
        checkLines()
        guard hasAPS else { return }
        let event = text(outline[.event])
        if !isPresent(.event) { report(.eventMissing, at: .event) }
        if !isPresent(.timestamp) { report(.timestampMissing, at: .timestamp) }
        if !isPresent(.contentState) {
            let isEnd = event == LiveActivityEvent.end.rawValue
            report(
                .contentStateMissing, at: Finding.Location(PayloadKey.contentState.path),
                fix: isEnd ? "Add a final state, or send the push unsealed." : nil)
        }
        if event == LiveActivityEvent.start.rawValue || isPresent(.attributes)
            || isPresent(.attributesType)
        {
            if !isPresent(.attributes) { report(.attributesMissing, at: .attributes) }
            if !isPresent(.attributesType) { report(.attributesTypeMissing, at: .attributesType) }
        }
        if event == LiveActivityEvent.start.rawValue, !isPresent(.alert) {
            report(.startAlertMissing, at: .alert)
        }
        if event != LiveActivityEvent.end.rawValue, isPresent(.dismissalDate) {
            report(.dismissalWithoutEnd, at: .dismissalDate)
        }
        for key in PayloadKey.activityTimes { checkTime(key) }
    }

    /// Checks a time, which senders confuse with milliseconds, and with the seconds since 2001 of
    /// Apple's frameworks.
    private mutating func checkTime(_ key: PayloadKey) {
        // Another rule covers wrong types.
        guard let time = number(outline[key]) else { return }
        guard time.isFinite else { return report(.activityTimeRange, at: key) }
        // 2001-09-09 and 5138-11-16. A dismissal date in the past removes the activity at once.
        let seconds = 1_000_000_000.0..<100_000_000_000
        let isPast = key == .dismissalDate && (0..<500_000_000).contains(time)
        guard !seconds.contains(time), !isPast else { return }
        let detail =
            time < 0
            ? "it is negative"
            : time < seconds.lowerBound ? "before 2001-09-09" : "probably milliseconds"
        report(.activityTime, at: key, detail)
    }

    /// Checks for members that would stay readable, and that the system doesn't read.
    private mutating func checkUnknownMembers() {
        for member in outline.document.children(of: outline.document.root) {
            let name = name(member)
            guard name != "aps", name != Envelope.payloadKey else { continue }
            report(.liveActivityCustomKey, at: Finding.Location([name]))
        }
        // Most of such a push isn't sealed, so a state under a misspelled name would stay readable.
        for unknown in outline.unknown {
            let name = name(unknown.member)
            // The alert of a Live Activity may have the name of a sound, which is too short for a
            // state.
            let isString = unknown.member.kind == .string
            let isSound = unknown.parent == .alert && name == PayloadKey.sound.rawValue && isString
            guard name != Envelope.payloadKey, !isSound else { continue }
            report(
                .liveActivityUnknownKey, at: Finding.Location(unknown.parent.path + [name]),
                fix: PayloadKey.fix(ofNearMiss: name, in: unknown.parent))
        }
    }

    /// Checks title, subtitle and body, which may be dictionaries with a key and its arguments.
    private mutating func checkLines() {
        for line in [PayloadKey.title, .subtitle, .body] {
            guard let object = outline[line], object.kind == .object else { continue }
            for member in outline.document.children(of: object) {
                let name = name(member)
                guard ![PayloadKey.locKey, .locArgs].map(\.rawValue).contains(name) else {
                    continue
                }
                report(.liveActivityUnknownKey, at: Finding.Location(line.path + [name]))
            }
        }
    }
}
