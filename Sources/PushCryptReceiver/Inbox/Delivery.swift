internal import PushCryptCore

/// The state of one request, as a value: opening, the customization, the deadline and the expiry
/// end in any order.
///
/// Each decision between them is one call here, made under a lock. Calls never block, so a test can
/// try every order.
struct Delivery<Content: DeliverableContent>: Sendable {
    /// The caller's next step.
    enum Action: Sendable {
        /// Take the steps after opening, which may improve the content.
        case improve(Content)
        /// Decide about the content, and report the decision with ``Delivery/decided(_:)``; if it's
        /// the last decision, it isn't put off.
        case decide(Content, isLast: Bool)
        /// Read the system's list again: another notification has come between.
        case again
        /// Call the content handler.
        case handOver(Content)
    }

    private enum Phase: Sendable, Hashable {
        case open
        /// A thread decides about the content.
        case deciding
        case closed
    }

    private var best: Content
    private let needsSteps: Bool
    private var phase = Phase.open
    /// A Boolean value that indicates whether the request must end with the decision that is being
    /// made.
    private var isEnding = false

    /// A Boolean value that indicates whether the content can still be updated.
    var isOpen: Bool { phase == .open }

    /// Starts with the fallback.
    ///
    /// With `needsSteps`, an opened message isn't handed over at once: the app decides, attaches or
    /// customizes first. A withdrawal or a copy isn't either, because the system's list of
    /// displayed notifications is needed first.
    init(fallback: Content, needsSteps: Bool) {
        best = fallback
        self.needsSteps = needsSteps
    }

    /// Records the end of opening, with the original or with a fallback and its reason.
    mutating func opened(_ content: Content) -> Action? {
        guard update(content) else { return nil }
        return content.needsDeliveredList || needsSteps && content.hasOpenedMessage
            ? .improve(content) : decide()
    }

    /// Updates the best content; the request goes on.
    ///
    /// - Returns: `false` if the update comes too late, or if the content has no text: the system
    ///   would ignore it. Only a dropped notification's content may be empty.
    mutating func update(_ content: Content) -> Bool {
        guard isOpen, content.hasText || content.isDropped else { return false }
        best = content
        return true
    }

    /// Records the end of the steps after opening; `nil` if one of them failed.
    mutating func finished(with content: Content?) -> Action? {
        if let content { _ = update(content) }
        return decide()
    }

    /// Ends the request early, because of the deadline or the expiry.
    ///
    /// The reason replaces the fallback's. If another thread decides, its decision is the last one.
    mutating func end(because reason: PushCryptError?) -> Action? {
        if phase == .deciding { isEnding = true }
        guard isOpen else { return nil }
        if let reason { best = best.failing(because: reason) }
        isEnding = true
        return decide()
    }

    /// Records a decision: the content to hand over, or `nil` if the system's list must be read
    /// again first.
    mutating func decided(_ content: Content?) -> Action? {
        guard phase == .deciding else { return nil }
        if let content {
            phase = .closed
            return .handOver(content)
        }
        guard !isEnding else { return .decide(best, isLast: true) }
        phase = .open
        return .again
    }

    private mutating func decide() -> Action? {
        guard isOpen else { return nil }
        phase = .deciding
        return .decide(best, isLast: isEnding)
    }
}

extension Delivery: Hashable, Equatable where Content: Hashable {}

/// The content that a request hands over.
protocol DeliverableContent: Sendable {
    var hasText: Bool { get }
    /// A Boolean value that indicates whether a message was opened, even if its content is reduced
    /// or dropped.
    var hasOpenedMessage: Bool { get }
    /// A Boolean value that indicates whether the app, an authenticated withdrawal or the replay
    /// guard displays nothing instead of the text.
    var isDropped: Bool { get }
    /// A Boolean value that indicates whether the system's list of displayed notifications must be
    /// read or changed before the hand-over.
    var needsDeliveredList: Bool { get }
    /// Returns the content with another reason if it's a fallback.
    func failing(because reason: PushCryptError) -> Self
}
