public import Foundation
public import PushCryptCore
internal import PushCryptSystem

/// A memory of opened messages that rejects repeated ones.
///
/// It keeps accounts apart, so that messages to one account don't displace those to another.
public protocol ReplayGuard: Sendable {
    /// Records a message, or rejects it.
    ///
    /// - Parameters:
    ///   - id: The message's ID.
    ///   - account: The name of the account whose key opened the message.
    ///   - issuedAt: The time at which the message was issued, by its sender's clock.
    ///   - expiration: The time after which the message is rejected for its age. Afterwards, the guard may forget
    ///     it.
    ///   - now: The time by the device's clock.
    /// - Throws: ``PushCryptError`` with `replayed` if the message is known, or `possiblyReplayed` if the guard may
    ///   have forgotten it. After any other error, the message opens unless the opener requires its guard.
    func admit(_ id: MessageID, account: String, issuedAt: Date, expiration: Date, now: Date) throws
}

/// The times of a recorded message, or the latest times of all forgotten messages, in milliseconds since 1970.
struct ReplayTimes: Sendable, Hashable {
    var issued: UInt64 = 0
    var expiration: UInt64 = 0

    /// Returns the times of a new message; at least 1, so that they are later than the zeros of a new guard.
    static func of(_ issuedAt: Date, _ expiration: Date) -> ReplayTimes {
        ReplayTimes(
            issued: max(issuedAt.millisecondsSince1970, 1), expiration: max(expiration.millisecondsSince1970, 1))
    }

    /// Returns the index among a guard's records for a message, after forgetting the message that is there.
    ///
    /// - Throws: ``PushCryptError`` with `possiblyReplayed`, or `invalidConfiguration` for an unlimited capacity.
    mutating func place(
        for message: ReplayTimes, among count: Int, capacity: Int, now: Date, times: (Int) -> ReplayTimes
    ) throws(PushCryptError) -> Int {
        guard (1...100_000).contains(capacity) else {
            throw PushCryptError(
                .invalidConfiguration, "A replay guard's capacity isn't between 1 and 100,000. Choose such a number.")
        }
        guard message.issued > issued, message.expiration > expiration else {
            throw PushCryptError(
                .possiblyReplayed,
                "The message is older than messages that the replay guard has forgotten. Check the device's clock.")
        }
        let now = now.millisecondsSince1970
        var index = 0
        var oldest = UInt64.max
        for candidate in 0..<count {
            let times = times(candidate)
            // Two clocks must agree: the device's may be wrong, and an anonymous sender chooses its own date.
            if times.expiration < min(message.issued, now) {
                expiration = max(expiration, times.expiration)
                return candidate
            }
            if times.issued < oldest {
                index = candidate
                oldest = times.issued
            }
        }
        guard count >= capacity else { return count }
        // A date in the future must not shut out all earlier messages.
        if oldest <= now { issued = max(issued, oldest) }
        return index
    }
}

/// A replay guard for the lifetime of the process.
public final class InMemoryReplayGuard: ReplayGuard {
    /// The messages of an account.
    private struct Memory {
        /// The latest times of the messages that the guard has forgotten.
        var forgotten = ReplayTimes()
        var messages: [Message] = []
    }

    private struct Message {
        let id: MessageID
        let times: ReplayTimes
    }

    private let capacity: Int
    private let accounts = LockedValue<[String: Memory]>([:])

    /// Creates a guard that remembers `capacity` messages of each account, at most 100,000.
    public init(capacity: Int = 10_000) { self.capacity = capacity }

    /// Records a message, or throws `replayed`, `possiblyReplayed`, or `invalidConfiguration` for another capacity.
    public func admit(_ id: MessageID, account: String, issuedAt: Date, expiration: Date, now: Date) throws {
        try accounts.withLock { (accounts) throws(PushCryptError) in
            var memory = accounts.removeValue(forKey: account) ?? Memory()
            defer { accounts[account] = memory }
            guard !memory.messages.contains(where: { $0.id == id }) else { throw Self.replayed(id) }
            let times = ReplayTimes.of(issuedAt, expiration)
            let count = memory.messages.count
            var forgotten = memory.forgotten
            let index = try forgotten.place(for: times, among: count, capacity: capacity, now: now) {
                memory.messages[$0].times
            }
            memory.forgotten = forgotten
            memory.messages.replaceSubrange(index..<min(index + 1, count), with: [Message(id: id, times: times)])
        }
    }
}

extension ReplayGuard {
    static func replayed(_ id: MessageID) -> PushCryptError {
        PushCryptError(.replayed, "The message with the ID \(id) was already opened here. Seal each message once.")
    }
}
