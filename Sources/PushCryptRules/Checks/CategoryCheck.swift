internal import PushCryptPayload

// The category, against the content extension that should open for it.
extension RuleCheck {
    package mutating func checkCategory(_ content: ContentExtension) {
        checkDeclaration(content)
        if let ratio = content.initialContentSizeRatio {
            report(
                .contentExtensionDetail, at: Finding.Place(outside: "UNNotificationExtensionInitialContentSizeRatio"),
                "\(ratio): the view begins \(ratio) times as high as it is wide")
        }
        if let isHidden = content.isDefaultContentHidden {
            report(
                .contentExtensionDetail, at: Finding.Place(outside: "UNNotificationExtensionDefaultContentHidden"),
                isHidden
                    ? "true: the opened title, subtitle and body are not shown unless the extension shows them"
                    : "false: the system shows the opened title, subtitle and body below the extension's view")
        }
        if let isInteractive = content.isUserInteractionEnabled {
            report(
                .contentExtensionDetail, at: Finding.Place(outside: "UNNotificationExtensionUserInteractionEnabled"),
                isInteractive
                    ? "true: touches go to the extension's own buttons, and a tap does not open the app"
                    : "false: a tap opens the app, and the extension's view gets no touches")
        }
    }

    private mutating func checkDeclaration(_ content: ContentExtension) {
        guard let category = text(outline[.category]) else {
            // The category of what travels may well be sealed.
            if subject == .original { report(.categoryMissing, at: .category) }
            return
        }
        // The same letters in the same spelling: é in one scalar is not é in two.
        guard !content.categories.contains(where: { $0.utf8.elementsEqual(category.utf8) }) else { return }
        if content.categories.contains(where: { $0.lowercased() == category.lowercased() }) {
            report(.categoryCase, at: .category)
        } else {
            report(.categoryUndeclared, at: .category)
        }
    }
}
