internal import PushCryptCore

/// The state of one request, as a value: opening, the customization, the deadline and the expiry end in any order.
///
/// Each decision between them is one call here, made under a lock. Calls never block, so a test can try every order.
package struct Delivery<Content: DeliverableContent>: Sendable {
    /// The caller's next step.
    package enum Action: Sendable {
        /// Take the steps after opening, which may improve the content.
        case improve(Content)
        /// Call the content handler.
        case handOver(Content)
    }

    private var best: Content
    private let needsSteps: Bool

    /// A Boolean value that indicates whether the content can still be updated.
    package private(set) var isOpen = true

    /// Starts with the fallback.
    ///
    /// With `needsSteps`, an opened message isn't handed over at once: the app decides, attaches or customizes first. A
    /// withdrawal or a copy isn't either, because the system's list of displayed notifications is needed first.
    package init(fallback: Content, needsSteps: Bool) {
        best = fallback
        self.needsSteps = needsSteps
    }

    /// Records the end of opening, with the original or with a fallback and its reason.
    package mutating func opened(_ content: Content) -> Action? {
        guard update(content) else { return nil }
        return content.needsDeliveredList || needsSteps && content.hasOpenedMessage ? .improve(content) : handOver()
    }

    /// Updates the best content; the request goes on.
    ///
    /// - Returns: `false` if the update comes too late, or if the content has no text: the system would ignore it. Only
    ///   a dropped notification's content may be empty.
    package mutating func update(_ content: Content) -> Bool {
        guard isOpen, content.hasText || content.isDropped else { return false }
        best = content
        return true
    }

    /// Records the end of the steps after opening; `nil` if one of them failed.
    package mutating func finished(with content: Content?) -> Action? {
        if let content { _ = update(content) }
        return handOver()
    }

    /// Ends the request early, because of the deadline or the expiry.
    ///
    /// The reason replaces the fallback's.
    package mutating func end(because reason: PushCryptError?) -> Action? {
        guard isOpen else { return nil }
        if let reason { best = best.failing(because: reason) }
        return handOver()
    }

    private mutating func handOver() -> Action? {
        guard isOpen else { return nil }
        isOpen = false
        return .handOver(best)
    }
}

extension Delivery: Hashable, Equatable where Content: Hashable {}

/// The content that a request hands over.
package protocol DeliverableContent: Sendable {
    var hasText: Bool { get }
    /// A Boolean value that indicates whether a message was opened, even if its content is reduced or dropped.
    var hasOpenedMessage: Bool { get }
    /// A Boolean value that indicates whether the app, an authenticated withdrawal or the replay guard displays nothing
    /// instead of the text.
    var isDropped: Bool { get }
    /// A Boolean value that indicates whether the system's list of displayed notifications must be read or changed
    /// before the hand-over.
    var needsDeliveredList: Bool { get }
    /// Returns the content with another reason if it's a fallback.
    func failing(because reason: PushCryptError) -> Self
}
