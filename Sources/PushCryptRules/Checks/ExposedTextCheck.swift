package import PushCryptCore
internal import PushCryptPayload

// What everybody on the way can read, and looks as if nobody should.
extension RuleCheck {
    /// Looks at a text that is readable on the way.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - place: where it is.
    ///   - mend: what would hide it.
    package mutating func checkVisible(_ text: String, at place: @autoclosure () -> Finding.Place, mend: String) {
        for kind in SensitiveText.kinds(in: text) {
            let place = place()
            report(kind.rule, at: place, mend: mend)
        }
    }

    /// Looks at all strings of a payload that travels, but for its sealed values.
    package mutating func checkVisibleStrings(_ leaves: [JSONWalk.Leaf]) {
        for leaf in leaves where leaf.kind == .string && !Self.sealedValues.contains(leaf.path) {
            let text = String(decoding: JSONText.decoded(bytes.span, leaf.contents), as: UTF8.self)
            checkVisible(text, at: Finding.Place(leaf.path), mend: mend(leaf.path))
        }
    }

    /// Where sealed values are; the same name elsewhere seals nothing.
    private static let sealedValues =
        [[Envelope.payloadKey]] + PayloadKey.sealedInLiveActivities.map { $0.path + [Envelope.payloadKey] }

    /// Looks at what of an original stays readable when it is sealed.
    package mutating func checkWhatStaysVisible(
        exposedKeys: Set<ExposedKey>, placeholder: Placeholder, _ leaves: [JSONWalk.Leaf]
    ) {
        if type == .liveActivity {
            let sealed = PayloadKey.sealedInLiveActivities.map(\.path)
            checkVisibleStrings(leaves.filter { leaf in !sealed.contains { leaf.path.starts(with: $0) } })
            return
        }
        guard type == .alert else { return }
        for key in ExposedKey.allCases where exposedKeys.contains(key) {
            guard let path = PayloadKey(rawValue: key.rawValue)?.path else { continue }
            // A sound may be a dictionary.
            checkVisibleStrings(leaves.filter { $0.path.starts(with: path) })
        }
        let place = Finding.Place(outside: "the placeholder")
        for line in [placeholder.title, placeholder.subtitle, placeholder.body] {
            guard let line else { continue }
            for text in line.visibleTexts { checkVisible(text, at: place, mend: "Leave it to the original.") }
        }
    }

    private func mend(_ path: [String]) -> String {
        switch path.dropFirst().first {
        case "thread-id": "Do not expose thread-id, or make it opaque with OpaqueIDs."
        case _ where type == .liveActivity: "Put it into content-state, which is sealed."
        case let key? where path.first == "aps" && ExposedKey(rawValue: key) != nil: "Do not expose \(key)."
        case "alert": "Put it into aps.alert of the original, and a placeholder here."
        default: "Put it into the original, which is sealed."
        }
    }
}

extension Placeholder.Line {
    /// What of the line travels: also a key and its arguments.
    fileprivate var visibleTexts: [String] {
        switch self {
        case .text(let text): [text]
        // A text that stands where a key belongs is shown as it is.
        case .localized(let key, let arguments): [key] + arguments
        }
    }
}

extension SensitiveText {
    /// The rule that is broken where such a text can be read.
    var rule: Rule {
        switch self {
        case .cardNumber: .clearCardNumber
        case .iban: .clearIBAN
        case .emailAddress: .clearEmailAddress
        case .oneTimeCode: .clearOneTimeCode
        case .phoneNumber: .clearPhoneNumber
        case .longText: .clearLongText
        }
    }
}
