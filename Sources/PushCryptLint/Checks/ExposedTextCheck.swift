internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

/// Checks of text that stays readable.
extension RuleCheck {
    /// Checks a string that stays readable.
    mutating func checkText(
        _ text: String, at location: @autoclosure () -> Finding.Location, fix: String
    ) {
        for kind in SensitiveText.kinds(in: text) { report(kind.rule, at: location(), fix: fix) }
    }

    /// Checks all strings of a sealed payload except its sealed values.
    mutating func checkTexts(_ leaves: [JSONDocument.Leaf]) {
        for leaf in leaves
        where leaf.value.kind == .string && !Self.sealedValues.contains(leaf.path) {
            checkText(text(leaf.value) ?? "", at: Finding.Location(leaf.path), fix: fix(leaf.path))
        }
    }

    /// The locations of sealed values; the same key elsewhere seals nothing.
    private static let sealedValues =
        [[Envelope.payloadKey]]
        + PayloadKey.sealedInLiveActivities.map { $0.path + [Envelope.payloadKey] }

    /// Checks the strings of an original that stay readable after sealing.
    mutating func checkExposedTexts(
        _ exposedKeys: Set<ExposedKey>, _ placeholder: Placeholder, in leaves: [JSONDocument.Leaf]
    ) {
        if type == .liveActivity {
            let isAlertExposed = exposedKeys.contains(.alert)
            let replaced = isAlertExposed ? [] : [PayloadKey.alert.path]
            let sealed = PayloadKey.sealedInLiveActivities.map(\.path) + replaced
            checkTexts(leaves.filter { leaf in !sealed.contains { leaf.path.starts(with: $0) } })
            if !isAlertExposed, isPresent(.alert) {
                checkPlaceholder(placeholder)
                checkReplacedAlert()
            }
        } else if type == .alert {
            for key in ExposedKey.inAlerts where exposedKeys.contains(key) {
                // A sound may be a dictionary.
                checkTexts(leaves.filter { $0.path.starts(with: ["aps", key.rawValue]) })
            }
            checkPlaceholder(placeholder)
        }
    }

    /// Reports the words of a Live Activity's alert, which no device displays.
    private mutating func checkReplacedAlert() {
        let texts = [PayloadKey.title, .subtitle, .body, .alert].filter { hasText(outline[$0]) }
        let arguments = [PayloadKey.titleLocArgs, .subtitleLocArgs, .locArgs].filter {
            isPresent($0)
        }
        for key in texts + arguments { report(.liveActivityAlertReplaced, at: key) }
        // A line may be a dictionary with a key and its arguments.
        let name = PayloadKey.locArgs.rawValue
        for line in [PayloadKey.title, .subtitle, .body]
        where outline.document.member(name, of: outline[line], in: outline.bytes.span) != nil {
            report(.liveActivityAlertReplaced, at: Finding.Location(line.path + [name]))
        }
    }

    private mutating func checkPlaceholder(_ placeholder: Placeholder) {
        let lines = [placeholder.title, placeholder.subtitle, placeholder.body]
        for text in lines.flatMap({ $0?.texts ?? [] }) {
            let location = Finding.Location(outside: "the placeholder")
            checkText(text, at: location, fix: "Use a text that may be public.")
        }
    }

    private func fix(_ path: [String]) -> String {
        switch path.dropFirst().first {
        case _ where !isSealable: "Remove it."
        case "thread-id": "Don't expose thread-id, or replace its value with an opaque identifier."
        case _ where type == .liveActivity: "Put it into content-state, which is sealed."
        case let key? where path.first == "aps" && ExposedKey(rawValue: key) != nil:
            "Don't expose \(key)."
        case "alert": "Put it into the alert of the sealed payload, and a placeholder here."
        default: "Put it into the sealed payload."
        }
    }
}
