internal import PushCryptCore
internal import PushCryptPayload

/// Checks of each key by itself: types, ranges and names.
extension RuleCheck {
    mutating func checkSchema() {
        guard outline.aps != nil else {
            if [.alert, .background, .liveActivity].contains(type) {
                report(.apsMissing, at: Finding.Location(["aps"]))
            }
            return
        }
        guard hasAPS else {
            report(.apsNotDictionary, at: Finding.Location(["aps"]))
            return
        }
        for known in outline.known { check(known.key, known.member) }
        for unknown in outline.unknown
        where outline.document.isNamed(Envelope.payloadKey, unknown.member, in: outline.bytes.span)
        {
            report(
                .sealedValueMisplaced,
                at: Finding.Location(unknown.parent.path + [Envelope.payloadKey]))
        }
    }

    /// Checks that the keys that only the extension writes are missing.
    mutating func checkReservedKeys() {
        for key in [Envelope.receiptKey, Envelope.addedKey]
        where outline.document.member(key, in: outline.bytes.span) != nil {
            report(.reservedKey, at: Finding.Location([key]), key)
        }
    }

    private mutating func check(_ key: PayloadKey, _ member: JSONDocument.Value) {
        let kind = member.kind
        // A rule of its own covers null.
        guard kind != .null else { return }
        if key.kind == .flag, kind == .boolean {
            report(.flagBoolean, at: key)
            return
        }
        if kind == .object, [.title, .subtitle, .body].contains(key), type == .liveActivity {
            return
        }
        guard matches(key.kind, kind, of: member) else {
            report(
                .wrongType, at: Finding.Location(key.path), "\(key.kind.rawValue) is expected",
                isRequired: isRequired(key))
            return
        }
        switch key {
        case .badge
        where outline.bytes[member.range.lowerBound] == UInt8(ascii: "-") && number(member) != 0:
            report(.badgeRange, at: key)
        case .relevanceScore where type != .liveActivity && !isFraction(member):
            report(.relevanceRange, at: key)
        case .volume where !isFraction(member):
            report(.volumeRange, at: key)
        case .interruptionLevel
        where !InterruptionLevel.allCases.contains(where: { $0.rawValue == text(member) }):
            report(.unknownInterruptionLevel, at: key)
        case .event
        where type == .liveActivity
            && !LiveActivityEvent.allCases.contains(where: { $0.rawValue == text(member) }):
            report(.unknownEvent, at: key)
        default:
            break
        }
    }

    /// Returns a Boolean value that indicates whether the format requires the type of a key.
    private func isRequired(_ key: PayloadKey) -> Bool {
        switch type {
        case .alert, .withdrawal: Self.alertTexts.contains(key)
        case .liveActivity: PayloadKey.sealedInLiveActivities.contains(key)
        default: false
        }
    }

    private func matches(
        _ expected: PayloadKey.Kind, _ kind: JSONDocument.Kind, of member: JSONDocument.Value
    ) -> Bool {
        switch expected {
        case .string: kind == .string
        case .dictionary: kind == .object
        case .stringOrDictionary: kind == .string || kind == .object
        case .number: kind == .number
        case .integer, .flag: kind == .number && isInteger(member)
        case .strings:
            kind == .array
                && outline.document.children(of: member).allSatisfy { $0.kind == .string }
        }
    }

    /// Returns a Boolean value that indicates whether a number fits `Int64`, even as 3.0 or 1e2.
    private func isInteger(_ member: JSONDocument.Value) -> Bool {
        Int64(String(decoding: outline.bytes[member.range], as: UTF8.self)) != nil
            || number(member).flatMap { Int64(exactly: $0) } != nil
    }

    private func isFraction(_ member: JSONDocument.Value) -> Bool {
        number(member).map { (0...1).contains($0) } ?? false
    }
}
