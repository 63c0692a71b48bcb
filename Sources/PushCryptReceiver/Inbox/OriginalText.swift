internal import PushCryptPayload

/// The parts of an original with which the displayed content is compared.
struct OriginalText: Sendable {
    /// The title, the subtitle, the body and the category.
    private let content: NotificationContent

    /// Takes the text from the opened content, and the category from the payload, because a
    /// delivered attribute may stay in the content.
    init(_ payload: [String: JSONValue], _ content: NotificationContent) {
        var text = NotificationContent(
            title: content.title, subtitle: content.subtitle, body: content.body)
        text.categoryIdentifier = payload["aps"]?["category"]?.stringValue ?? ""
        self.content = text
    }

    /// Returns the state of content that is displayed instead of the whole original.
    func state(of displayed: NotificationContent, isReduced: Bool) -> DisplayedState {
        let category = displayed.categoryIdentifier
        let hasOwnCategory = category == content.categoryIdentifier || isReduced && category.isEmpty
        guard hasOwnCategory else { return .decorated }
        if isReduced { return .reduced }
        return displayed.hasTexts(of: content) ? .asSealed : .otherText
    }
}
