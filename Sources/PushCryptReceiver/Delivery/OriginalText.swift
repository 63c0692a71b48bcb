/// The parts of an original with which the displayed content is compared, or which are recorded.
package struct OriginalText: Sendable, Hashable {
    /// The title, the subtitle, the body and the category.
    let content: NotificationContent
    /// The identifier of the thread.
    let thread: String

    init(content: NotificationContent, thread: String) {
        self.content = content
        self.thread = thread
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
