public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Remembers which messages were opened, so that none is shown twice.
public protocol ReplayGuard: Sendable {
    /// Notes a message, and refuses it where it was noted before.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - issuedAt: when it was issued. An id may be forgotten when its message would be refused for its age.
    /// - Throws: ``PushCryptError`` with `replayed`. An error of any other kind is not held against the message.
    func admit(_ id: MessageID, issuedAt: Date) throws
}

/// A replay guard that lasts as long as the process.
public final class InMemoryReplayGuard: ReplayGuard {
    private let capacity: Int
    private let seen = LockedValue<(ids: Set<MessageID>, order: [MessageID])>(([], []))

    /// Makes a guard that remembers the last messages.
    ///
    /// - Parameter capacity: how many at the least, 1 or more; up to twice as many may be kept for a while.
    public init(capacity: Int = 10_000) {
        self.capacity = max(capacity, 1)
    }

    /// Notes a message, and refuses it where it was noted before.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - issuedAt: when it was issued.
    /// - Throws: ``PushCryptError`` with `replayed`.
    public func admit(_ id: MessageID, issuedAt: Date) throws {
        let isNew = seen.withLock { seen in
            guard seen.ids.insert(id).inserted else { return false }
            seen.order.append(id)
            // As many as were promised are kept, and twice as many at times, so that shifting them costs little for each.
            if seen.order.count >= 2 * capacity {
                let old = seen.order.prefix(seen.order.count - capacity)
                for id in old { seen.ids.remove(id) }
                seen.order.removeFirst(old.count)
            }
            return true
        }
        guard isNew else {
            throw PushCryptError(.replayed, "A message with the id \(id) was already opened here.")
        }
    }
}
