internal import PushCryptCore
internal import PushCryptSender

/// Checks of payloads that only the system reads
/// (https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications).
extension RuleCheck {
    /// Checks the members of a payload that no extension opens.
    mutating func checkSystemMembers() {
        switch type {
        case .widgets, .controls: checkMembers([["aps", "content-changed"]])
        case .fileProvider: checkMembers([["container-identifier"], ["domain"]])
        case .mdm: checkMembers([["mdm"]])
        default: break
        }
    }

    /// Checks that a payload has the first of the members that Apple defines, and no members of the
    /// app.
    private mutating func checkMembers(_ defined: [[String]]) {
        let leaves = outline.document.leaves(in: outline.bytes.span)
        let value = leaves.first { $0.path == defined[0] }?.value
        let isFlag = defined[0].first == "aps"
        if !(isFlag ? outline.document.isTrue(value, in: outline.bytes.span) : hasText(value)) {
            let expected = isFlag ? "true is expected" : "a string is expected"
            report(.memberMissing, at: Finding.Location(defined[0]), expected)
        }
        // An empty dictionary has no members, so it's a leaf.
        for leaf in leaves where ![[], ["aps"]].contains(leaf.path) && !defined.contains(leaf.path)
        {
            report(.memberIgnored, at: Finding.Location(leaf.path))
        }
    }
}
