internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// Checks of a sealed payload: the device must be able to open it.
extension RuleCheck {
    mutating func checkSealedPayload() {
        let member = outline.document.member(Envelope.payloadKey, in: outline.bytes.span)
        checkSealedValue(member, in: [], isExpected: isSealable && type != .liveActivity)
        for key in PayloadKey.sealedInLiveActivities {
            let member = outline.sealedValue(inside: key)
            checkSealedValue(member, in: key.path, isExpected: isSealable && type == .liveActivity)
            if member != nil, outline.document.children(of: outline[key]).count > 1 {
                let location = Finding.Location(key.path + [Envelope.payloadKey])
                report(.sealedValueMisplaced, at: location, "it must be the only key there")
            }
        }
        guard type == .alert, hasAPS else { return }
        if !isSet(.mutableContent) { report(.mutableContentMissing, at: .mutableContent) }
        if hasText(outline[.alert]) { report(.alertNotDictionary, at: .alert) }
    }

    private mutating func checkSealedValue(
        _ member: JSONDocument.Value?, in path: [String], isExpected: Bool
    ) {
        guard let member else { return }
        let location = Finding.Location(path + [Envelope.payloadKey])
        if !isExpected { report(.sealedValueMisplaced, at: location) }
        if let problem = problem(of: member) {
            report(.sealedValueMalformed, at: location, problem)
        }
    }

    /// Returns the reason if a value can't be an envelope.
    private func problem(of member: JSONDocument.Value) -> String? {
        guard let text = text(member) else { return "it isn't a string" }
        do throws(PushCryptError) {
            let characters = Array(text.utf8)
            _ = try Envelope.keyID(of: Base64URL.decode(characters.span))
            return nil
        } catch {
            return error.code.rawValue
        }
    }
}
