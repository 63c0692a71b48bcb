internal import PushCryptCore
internal import PushCryptPayload

// A payload as it travels: whether the device's side can do something with it.
extension RuleCheck {
    package mutating func checkTravelling() {
        checkSealedValues()
        guard type == .alert, let aps = outline.aps, kind(aps) == .object else { return }
        if !isOne(outline[.mutableContent]), !isTrue(outline[.mutableContent]) {
            report(.mutableContentMissing, at: .mutableContent)
        }
        if let alert = outline[.alert], kind(alert) == .string, hasText(alert) {
            report(.alertNotDictionary, at: .alert)
        }
    }

    private mutating func checkSealedValues() {
        checkSealedValue(outline.sealedValue(in: bytes.span), in: [], isRight: type != .liveActivity)
        for key in PayloadKey.sealedInLiveActivities {
            let member = outline.sealedValue(inside: key, in: bytes.span)
            checkSealedValue(member, in: key.path, isRight: type == .liveActivity)
            let place = Finding.Place(key.path + [Envelope.payloadKey])
            if member != nil, outline.document.members(of: outline[key]?.valueObject ?? -1).count > 1 {
                report(.sealedValueMisplaced, at: place, "it stands alone there")
            }
        }
    }

    private mutating func checkSealedValue(_ member: JSONDocument.Member?, in path: [String], isRight: Bool) {
        guard let member else { return }
        let place = Finding.Place(path + [Envelope.payloadKey])
        if !isRight { report(.sealedValueMisplaced, at: place) }
        if let problem = problem(of: member) { report(.sealedValueMalformed, at: place, problem) }
    }

    /// Why a value is no envelope; `nil` where it may be one, which only its key can tell.
    private func problem(of member: JSONDocument.Member) -> String? {
        guard let text = text(member) else { return "it is no string" }
        do throws(PushCryptError) {
            let characters = Array(text.utf8)
            _ = try Envelope.keyID(of: Base64URL.decode(characters.span))
            return nil
        } catch {
            return error.code.rawValue
        }
    }
}
