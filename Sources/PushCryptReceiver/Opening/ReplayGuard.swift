public import Foundation
public import PushCryptCore

/// A memory of opened messages that rejects repeated ones.
public protocol ReplayGuard: Sendable {
    /// Records a message, or rejects it if it's known.
    ///
    /// - Parameters:
    ///   - id: The message's ID.
    ///   - issuedAt: The time at which the message was issued. The guard may forget IDs of messages that would be rejected
    ///     for their age.
    /// - Throws: ``PushCryptError`` with `replayed`. The message opens in spite of any other error.
    func admit(_ id: MessageID, issuedAt: Date) throws
}

/// A replay guard for the lifetime of the process.
public final class InMemoryReplayGuard: ReplayGuard {
    private let capacity: Int
    private let seen = LockedValue<(ids: Set<MessageID>, order: [MessageID])>(([], []))

    /// Creates a guard that remembers at least `capacity` messages, and at most twice as many.
    public init(capacity: Int = 10_000) {
        self.capacity = min(max(capacity, 1), Int.max / 2)
    }

    /// Records a message, or throws `replayed` if it's known.
    public func admit(_ id: MessageID, issuedAt: Date) throws {
        let isNew = seen.withLock { seen in
            guard seen.ids.insert(id).inserted else { return false }
            seen.order.append(id)
            // Removing half at once keeps the average cost of shifting the array low.
            if seen.order.count >= 2 * capacity {
                let old = seen.order.prefix(seen.order.count - capacity)
                for id in old { seen.ids.remove(id) }
                seen.order.removeFirst(old.count)
            }
            return true
        }
        guard isNew else { throw Self.replayed(id) }
    }
}

extension ReplayGuard {
    static func replayed(_ id: MessageID) -> PushCryptError {
        PushCryptError(.replayed, "The message with the ID \(id) was already opened here. Seal each message once.")
    }
}
