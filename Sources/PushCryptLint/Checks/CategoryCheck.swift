internal import PushCryptPayload
internal import PushCryptSender

/// Checks of the category against the content extension that it opens.
extension RuleCheck {
    mutating func checkCategory(_ content: ContentExtension) {
        checkDeclaration(content)
        if let ratio = content.initialContentSizeRatio {
            explain(
                "InitialContentSizeRatio",
                "\(ratio): the view is first \(ratio) times as high as it is wide")
        }
        if let isHidden = content.isDefaultContentHidden {
            explain(
                "DefaultContentHidden",
                isHidden
                    ? "true: only the extension can show the opened title, subtitle and body"
                    : """
                    false: the system shows the opened title, subtitle and body below the \
                    extension's view
                    """)
        }
        if let isInteractive = content.isUserInteractionEnabled {
            explain(
                "UserInteractionEnabled",
                isInteractive
                    ? "true: the extension's view receives touches, and a tap doesn't open the app"
                    : "false: a tap opens the app, and the extension's view receives no touches")
        }
    }

    private mutating func explain(_ key: String, _ effect: String) {
        report(
            .contentExtensionDetail, at: Finding.Location(outside: "UNNotificationExtension" + key),
            effect)
    }

    private mutating func checkDeclaration(_ content: ContentExtension) {
        guard let category = text(outline[.category]) else {
            // The category of a sealed payload may be sealed too.
            if !isSealed { report(.categoryMissing, at: .category) }
            return
        }
        // The system compares scalars: é in one scalar isn't é in two.
        guard !content.categories.contains(where: { $0.utf8.elementsEqual(category.utf8) }) else {
            return
        }
        let isCase = content.categories.contains { $0.lowercased() == category.lowercased() }
        report(isCase ? .categoryCase : .categoryUndeclared, at: .category)
    }
}
