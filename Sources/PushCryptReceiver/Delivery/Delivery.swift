internal import PushCryptCore

/// The state of one request, as a value.
///
/// Opening, the app's customization, the deadline and the system's expiry run on different threads and end in any order. Each
/// decision between them is one call here, made under a lock. Calls never block, so a test can try every order.
package struct Delivery<Content: DeliverableContent>: Sendable {
    /// The progress of a request.
    package enum Phase: Sendable, Hashable {
        /// The message is being opened.
        case opening
        /// The message is open, and the app customizes the content.
        case customizing
        /// The content handler is being called, or is about to be.
        case handingOver
        /// The content handler has returned.
        case handedOver
    }

    /// The caller's next step.
    package enum Action: Sendable {
        /// Have the app customize the content.
        case customize(Content)
        /// Call the content handler, and then ``Delivery/handlerReturned()``.
        case handOver(Content)
    }

    package private(set) var best: Content
    package private(set) var phase = Phase.opening
    private let hasCustomization: Bool

    /// Starts with the fallback.
    package init(fallback: Content, hasCustomization: Bool) {
        best = fallback
        self.hasCustomization = hasCustomization
    }

    /// A Boolean value that indicates whether the content can still be updated.
    package var isOpen: Bool { phase == .opening || phase == .customizing }

    /// Records the end of opening, with the original or with a fallback and its reason.
    package mutating func opened(_ content: Content) -> Action? {
        guard update(content) else { return nil }
        guard hasCustomization, content.isOpened else { return handOver() }
        phase = .customizing
        return .customize(content)
    }

    /// Updates the best content; the request goes on.
    ///
    /// - Returns: `false` if the update comes too late, or if the content has no text: the system would ignore it and display
    ///   the payload as it was delivered.
    package mutating func update(_ content: Content) -> Bool {
        guard isOpen, content.hasText else { return false }
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

    /// Records that the content handler has returned.
    package mutating func handlerReturned() {
        phase = .handedOver
    }

    private mutating func handOver() -> Action? {
        guard isOpen else { return nil }
        phase = .handingOver
        return .handOver(best)
    }
}

extension Delivery: Hashable, Equatable where Content: Hashable {}

/// The content that a request hands over.
package protocol DeliverableContent: Sendable {
    var hasText: Bool { get }
    var isOpened: Bool { get }
    /// Returns the content with another reason if it's a fallback.
    func failing(because reason: PushCryptError) -> Self
}

extension NotificationResult: DeliverableContent {
    package var hasText: Bool { content.hasText }
    package var isOpened: Bool { outcome.push != nil }

    package func failing(because reason: PushCryptError) -> NotificationResult {
        guard outcome.failure != nil else { return self }
        return NotificationResult(content: content, outcome: .fallback(reason))
    }
}
