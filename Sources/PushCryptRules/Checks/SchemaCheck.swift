internal import PushCryptCore
internal import PushCryptPayload

// Types and ranges: what Apple's tables say of each key by itself.
extension RuleCheck {
    mutating func checkShape() {
        guard let aps = outline.aps else {
            if type != .voip { report(.apsMissing, at: Finding.Place(["aps"])) }
            return
        }
        guard kind(aps) == .object else {
            report(.apsNotDictionary, at: Finding.Place(["aps"]))
            return
        }
        for known in outline.known { check(known.key, known.member) }
        for (parent, member) in outline.unknown
        where outline.document.isNamed(Envelope.payloadName, member, in: bytes.span) {
            report(.sealedValueMisplaced, at: Finding.Place(parent.path + [Envelope.payloadKey]))
        }
    }

    private mutating func check(_ key: PayloadKey, _ member: JSONDocument.Member) {
        let kind = kind(member)
        // Told apart by a rule of its own, for all members alike.
        guard kind != .null else { return }
        if key.kind == .flag, kind == .boolean {
            report(.flagBoolean, at: key)
            return
        }
        if kind == .object, [.title, .subtitle, .body].contains(key), type == .liveActivity { return }
        guard isOf(key.kind, kind, member) else {
            report(.wrongType, at: key, "\(key.kind.rawValue) is expected")
            return
        }
        switch key {
        case .badge:
            if bytes[member.value.lowerBound] == UInt8(ascii: "-"), number(member) != 0 { report(.badgeRange, at: key) }
        case .relevanceScore:
            if type != .liveActivity, !isFraction(member) { report(.relevanceRange, at: key) }
        case .volume:
            if !isFraction(member) { report(.volumeRange, at: key) }
        case .interruptionLevel:
            if !isText(member, oneOf: InterruptionLevel.allCases.map(\.rawValue)) {
                report(.unknownInterruptionLevel, at: key)
            }
        case .event:
            if type == .liveActivity, !isText(member, oneOf: LiveActivityEvent.allCases.map(\.rawValue)) {
                report(.unknownEvent, at: key)
            }
        default:
            break
        }
    }

    private func isOf(_ expected: PayloadKey.Kind, _ kind: JSONDocument.Kind, _ member: JSONDocument.Member) -> Bool {
        switch expected {
        case .string: kind == .string
        case .dictionary: kind == .object
        case .stringOrDictionary: kind == .string || kind == .object
        case .number: kind == .number
        case .integer, .flag: kind == .number && isWhole(member)
        case .strings:
            kind == .array
                && JSONArray.elements(of: bytes.span, member.value).allSatisfy {
                    bytes[$0.lowerBound] == UInt8(ascii: "\"")
                }
        }
    }

    /// Whether a number is a whole one, however it is spelt.
    private func isWhole(_ member: JSONDocument.Member) -> Bool {
        let digits = bytes[member.value].allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        if digits, member.value.count <= 18 { return true }
        // The greatest one has more digits than a Double.
        return Int64(String(decoding: bytes[member.value], as: UTF8.self)) != nil
            || number(member).map { Int64(exactly: $0) != nil } ?? false
    }

    private func isFraction(_ member: JSONDocument.Member) -> Bool {
        number(member).map { (0...1).contains($0) } ?? false
    }
}
