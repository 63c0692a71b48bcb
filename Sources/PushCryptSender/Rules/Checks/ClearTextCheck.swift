// What everybody on the way can read, and looks as if nobody should.
extension RuleCheck {
    /// Looks at a text that is readable on the way.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - place: where it is.
    ///   - hint: what would hide it.
    mutating func checkVisible(_ text: String, at place: Finding.Place, _ hint: String) {
        for kind in SensitiveText.kinds(in: text) {
            report(kind.rule, at: place, hint)
        }
    }

    /// Looks at all strings of a payload that travels, but for its sealed values.
    mutating func checkVisibleStrings(_ leaves: [JSONWalk.Leaf]) {
        for leaf in leaves where leaf.kind == .string && !Self.sealedValues.contains(leaf.path) {
            let text = String(decoding: JSONText.decoded(bytes.span, leaf.contents), as: UTF8.self)
            checkVisible(text, at: Finding.Place(leaf.path), hint(for: leaf.path))
        }
    }

    /// Where sealed values are; the same name elsewhere seals nothing.
    private static let sealedValues =
        [[Envelope.payloadKey]] + PayloadKey.sealedInLiveActivities.map { $0.path + [Envelope.payloadKey] }

    /// Looks at what of an original stays readable when it is sealed.
    mutating func checkWhatStaysVisible(_ settings: PayloadReview.Settings, _ leaves: [JSONWalk.Leaf]) {
        if type == .liveActivity {
            let sealed = PayloadKey.sealedInLiveActivities.map(\.path)
            checkVisibleStrings(leaves.filter { leaf in !sealed.contains { leaf.path.starts(with: $0) } })
            return
        }
        guard type == .alert else { return }
        for key in ExposedKey.allCases where settings.exposing.contains(key) {
            guard let payloadKey = PayloadKey(rawValue: key.rawValue), let text = text(outline[payloadKey]) else {
                continue
            }
            checkVisible(text, at: Finding.Place(payloadKey.path), hint(for: payloadKey.path))
        }
        let placeholder = Finding.Place(outside: "the placeholder")
        for line in [settings.placeholder.title, settings.placeholder.subtitle, settings.placeholder.body] {
            guard let line else { continue }
            for text in line.visibleTexts { checkVisible(text, at: placeholder, "leave it to the original") }
        }
    }

    private func hint(for path: [String]) -> String {
        switch path.dropFirst().first {
        case "thread-id": "do not expose thread-id, or make it opaque with OpaqueIDs"
        case "alert" where type == .liveActivity: "put it into content-state"
        case let key? where path.first == "aps" && ExposedKey(rawValue: key) != nil: "do not expose \(key)"
        case "alert": "put it into aps.alert of the original, and a placeholder here"
        default: "put it into the original"
        }
    }
}

extension Placeholder.Line {
    /// What of the line travels: also the arguments of a key.
    fileprivate var visibleTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .localized(_, let arguments): arguments
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
