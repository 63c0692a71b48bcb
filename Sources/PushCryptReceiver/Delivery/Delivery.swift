internal import PushCryptCore

/// The state of one request, as a value: opening, the customization, the deadline and the expiry end in any order.
///
/// Each decision between them is one call here, made under a lock. Calls never block, so a test can try every order.
package struct Delivery<Content: DeliverableContent>: Sendable {
    /// The caller's next step.
    package enum Action: Sendable {
        /// Have the app customize the content, or remove what a withdrawal names.
        case customize(Content)
        /// Call the content handler.
        case handOver(Content)
    }

    private var best: Content
    private let hasCustomization: Bool

    /// A Boolean value that indicates whether the content can still be updated.
    package private(set) var isOpen = true

    /// Starts with the fallback.
    package init(fallback: Content, hasCustomization: Bool) {
        best = fallback
        self.hasCustomization = hasCustomization
    }

    /// Records the end of opening, with the original or with a fallback and its reason.
    package mutating func opened(_ content: Content) -> Action? {
        guard update(content) else { return nil }
        return content.isWithdrawal || hasCustomization && content.isOpened ? .customize(content) : handOver()
    }

    /// Updates the best content; the request goes on.
    ///
    /// - Returns: `false` if the update comes too late, or if the content has no text: the system would ignore it. Only a dropped
    ///   notification's content may be empty.
    package mutating func update(_ content: Content) -> Bool {
        guard isOpen, content.hasText || content.isDropped else { return false }
        best = content
        return true
    }

    /// Records the end of the customization; `nil` if it failed.
    package mutating func customized(_ content: Content?) -> Action? {
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
    var isOpened: Bool { get }
    /// A Boolean value that indicates whether the app, or an authenticated withdrawal, displays nothing instead of the text.
    var isDropped: Bool { get }
    var isWithdrawal: Bool { get }
    /// Returns the content with another reason if it's a fallback.
    func failing(because reason: PushCryptError) -> Self
}

extension NotificationResult: DeliverableContent {
    package var hasText: Bool { content.hasText }
    package var isOpened: Bool { outcome.push != nil }
    package var isDropped: Bool { outcome.isDropped && isOpened }
    package var isWithdrawal: Bool { withdrawal != nil }

    package func failing(because reason: PushCryptError) -> NotificationResult {
        guard outcome.failure != nil else { return self }
        return NotificationResult(content: content, outcome: .fallback(reason))
    }
}
