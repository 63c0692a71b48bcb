public import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// A memory of opened messages that rejects repeated ones.
///
/// It keeps accounts apart, so that messages to one account don't displace those to another.
public protocol ReplayGuard: Sendable {
    /// Records a message, recognizes it as one of the last hour, or rejects it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - now: The time by the device's clock.
    /// - Returns: ``ReplayGuardAnswer/new``, or ``ReplayGuardAnswer/repeated`` if the guard
    ///   recorded the message within the last hour.
    /// - Throws: ``PushCryptError`` with `replayed` if the message was recorded before, or
    ///   `possiblyReplayed` if the guard may have forgotten it. After any other error, the message
    ///   opens unless the opener requires its guard.
    func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer
}

/// The times of a recorded message, or the latest times of all forgotten messages, in milliseconds
/// since 1970.
struct ReplayTimes: Sendable, Hashable {
    var issued: UInt64 = 0
    var expiration: UInt64 = 0

    /// Returns the times of a new message; at least 1, so that they are later than the zeros of a
    /// new guard.
    static func of(_ message: GuardedMessage) -> ReplayTimes {
        ReplayTimes(
            issued: max(message.issuedAt.millisecondsSince1970, 1),
            expiration: max(message.expiration.millisecondsSince1970, 1))
    }

    /// Returns the index among a guard's records for a message, after forgetting the message that
    /// is there.
    ///
    /// - Throws: ``PushCryptError`` with `possiblyReplayed`, or `invalidConfiguration` for an
    ///   unlimited capacity.
    mutating func place(
        for message: ReplayTimes, among count: Int, capacity: Int, now: Date,
        times: (Int) -> ReplayTimes
    ) throws(PushCryptError) -> Int {
        guard (1...100_000).contains(capacity) else {
            throw PushCryptError(
                .invalidConfiguration,
                "A replay guard's capacity isn't between 1 and 100,000. Choose such a number.")
        }
        guard message.issued > issued, message.expiration > expiration else {
            throw Self.possiblyReplayed
        }
        let now = now.millisecondsSince1970
        var index = 0
        var oldest = UInt64.max
        for candidate in 0..<count {
            let times = times(candidate)
            // Two clocks must agree: the device's may be wrong, and an anonymous sender chooses its
            // own date.
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

    static let possiblyReplayed = PushCryptError(
        .possiblyReplayed,
        """
        The message is older than messages that the replay guard has forgotten. Check the device's \
        clock.
        """)
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
        /// The time at which the guard recorded the message.
        let admitted: Date
    }

    private let capacity: Int
    private let accounts = LockedValue<[String: Memory]>([:])

    /// Creates a guard that remembers `capacity` messages of each account, at most 100,000.
    public init(capacity: Int = 10_000) { self.capacity = capacity }

    /// Records a message, or throws `replayed`, `possiblyReplayed`, or `invalidConfiguration` for
    /// another capacity.
    public func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
        try accounts.withLock { (accounts) throws(PushCryptError) in
            var memory = accounts.removeValue(forKey: message.account) ?? Memory()
            defer { accounts[message.account] = memory }
            if let known = memory.messages.first(where: { $0.id == message.id }) {
                return try Self.answer(
                    to: message, admitted: known.admitted.millisecondsSince1970, now: now)
            }
            let times = ReplayTimes.of(message)
            let count = memory.messages.count
            var forgotten = memory.forgotten
            let index = try forgotten.place(for: times, among: count, capacity: capacity, now: now)
            {
                memory.messages[$0].times
            }
            memory.forgotten = forgotten
            let new = Message(id: message.id, times: times, admitted: now)
            memory.messages.replaceSubrange(index..<min(index + 1, count), with: [new])
            return .new
        }
    }
}

extension ReplayGuard {
    /// The time in milliseconds for which a message counts as an honest double.
    private static var repeatPeriod: UInt64 { 3_600_000 }

    /// Returns the answer to a message that was recorded at a time, in milliseconds, or throws
    /// `replayed`.
    ///
    /// The clock may have been set back by a little since.
    static func answer(
        to message: GuardedMessage, admitted: UInt64, now: Date
    ) throws(PushCryptError) -> ReplayGuardAnswer {
        let arrival = min(message.deliveredAt ?? now, now).millisecondsSince1970
        guard max(arrival, admitted) - min(arrival, admitted) <= repeatPeriod else {
            throw .replayed(message.id)
        }
        return .repeated
    }
}

extension GuardedMessage {
    /// Creates the message of an opened push of one of the accounts.
    init(_ push: OpenedPush, of accounts: [PushAccount], deliveredAt delivery: Date?) {
        self.init(
            id: push.messageID, account: push.account, issuedAt: push.issuedAt,
            expiration: push.end,
            deliveredAt: delivery, keyCreation: { accounts.keyCreation(of: push) })
    }
}

extension PushCryptError {
    /// Returns the failure of a replay guard that can't be used; throws its error if the guard
    /// rejects the message.
    ///
    /// A guard's own error may contain anything, so only its type is repeated.
    static func replayGuardFailure(_ error: any Error) throws(PushCryptError) -> PushCryptError {
        let known = error as? PushCryptError
        if let known, [.replayed, .possiblyReplayed, .invalidConfiguration].contains(known.code) {
            throw known
        }
        let reason = known?.reason ?? "It threw \(type(of: error)). Check its storage."
        return PushCryptError(.replayGuardUnavailable, "The replay guard failed. \(reason)")
    }

    /// Returns the error for a message that was opened before.
    static func replayed(_ id: MessageID) -> PushCryptError {
        PushCryptError(
            .replayed,
            "The message with the ID \(id) was already opened here. Seal each message once.")
    }
}
