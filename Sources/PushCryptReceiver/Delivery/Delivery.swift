internal import PushCryptCore

/// One request on its way to its content handler, as a value.
///
/// Opening, the app's own step, a deadline and the system's expiry run on different threads and end in any order. Whatever
/// two of them could race for is one call here, made under the gate's lock, and decides alone; no call waits or calls out.
/// So every order of calls can be tried, and a test tries them all.
package struct Delivery<Content: DeliverableContent>: Sendable {
    /// How far the request has come.
    package enum Phase: Sendable, Hashable {
        /// The message is being opened.
        case opening
        /// It is open, and the app's step runs.
        case improving
        /// The content handler is being called, or is about to be.
        case handingOver
        /// The content handler has returned.
        case handedOver
    }

    /// What whoever has made a call has to do next.
    package enum Action: Sendable {
        /// Run the app's step on this content.
        case improve(Content)
        /// Call the content handler with this content, and then ``Delivery/handlerReturned()``.
        case handOver(Content)
    }

    /// What is handed over if nothing better comes.
    package private(set) var best: Content

    /// How far the request has come.
    package private(set) var phase = Phase.opening

    private let hasImprovement: Bool

    /// Begins with the fallback.
    ///
    /// - Parameters:
    ///   - fallback: what is handed over where nothing better comes.
    ///   - hasImprovement: whether the app has a step for what was opened.
    package init(fallback: Content, hasImprovement: Bool) {
        best = fallback
        self.hasImprovement = hasImprovement
    }

    /// Whether content can still get better: nobody has handed it over.
    package var isOpen: Bool { phase == .opening || phase == .improving }

    /// Opening has ended, with the original or with a fallback and its reason.
    package mutating func opened(_ content: Content) -> Action? {
        guard better(content) else { return nil }
        guard hasImprovement, content.isOpened else { return handOver() }
        phase = .improving
        return .improve(content)
    }

    /// Something better than what there was; the request goes on.
    ///
    /// - Returns: whether it was taken; not where it comes too late, and not without text: the system would ignore it and
    ///   show the payload as it was delivered.
    package mutating func better(_ content: Content) -> Bool {
        guard isOpen, content.hasText else { return false }
        best = content
        return true
    }

    /// The app's step has ended.
    ///
    /// - Parameter content: what it has made of the content; `nil` where it has failed.
    /// - Returns: what to do next; `nil` where it comes too late.
    package mutating func improved(_ content: Content?) -> Action? {
        if let content { _ = better(content) }
        return handOver()
    }

    /// Nobody waits any longer, for a reason that becomes the fallback's where nothing better has come.
    package mutating func timeIsUp(because reason: PushCryptError?) -> Action? {
        guard isOpen else { return nil }
        if let reason { best = best.failing(because: reason) }
        return handOver()
    }

    /// The content handler has returned.
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

/// What a request hands over.
package protocol DeliverableContent: Sendable {
    /// Whether there is any text.
    var hasText: Bool { get }

    /// Whether it is the original, and no fallback.
    var isOpened: Bool { get }

    /// The same content with another reason, where it is a fallback.
    func failing(because reason: PushCryptError) -> Self
}

extension NotificationResult: DeliverableContent {
    package var hasText: Bool { content.hasText }

    package var isOpened: Bool {
        if case .opened = outcome { true } else { false }
    }

    package func failing(because reason: PushCryptError) -> NotificationResult {
        guard case .fallback = outcome else { return self }
        return NotificationResult(content: content, outcome: .fallback(reason))
    }
}
