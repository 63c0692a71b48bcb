/// The displayed notifications of one account, and the withdrawals that act on late ones, as a value.
///
/// Each decision between a notification and a withdrawal is one call here, made under the lock of a file, so that a test can
/// try every order.
package struct WithdrawalLedger: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// The identifier of a displayed notification; empty for a withdrawal.
        package var identifier: [UInt8] = []
        /// The hash of the identifier, or of the identifier or thread that is withdrawn.
        package var target: [UInt8]
        /// The hash of the notification's thread.
        package var thread: [UInt8] = []
        /// The time at which the message was issued, in milliseconds since 1970.
        package var issuedAt: UInt64
        /// The time of the hand-over, or the end of a withdrawal, in milliseconds since 1970; 0 for a free entry.
        package var time: UInt64

        package init(
            identifier: [UInt8] = [], target: [UInt8], thread: [UInt8] = [], issuedAt: UInt64, time: UInt64
        ) {
            (self.identifier, self.target, self.thread) = (identifier, target, thread)
            (self.issuedAt, self.time) = (issuedAt, time)
        }

        /// A free entry.
        static let free = Entry(target: [], issuedAt: 0, time: 0)

        var name: String { String(decoding: identifier, as: UTF8.self) }

        var isShown: Bool { !identifier.isEmpty }

        var isWithdrawal: Bool { identifier.isEmpty && time > 0 }
    }

    /// The greatest number of notifications, and of withdrawals.
    static let capacity = 500

    package private(set) var entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Records a notification that is about to be displayed.
    ///
    /// - Returns: `false` if the notification was withdrawn.
    package mutating func show(_ notification: Entry, now: UInt64) -> Bool {
        guard !isWithdrawn(notification, now: now) else { return false }
        put(notification, now: now) { $0.identifier == notification.identifier }
        return true
    }

    /// Records a withdrawal of one target, which acts until its time.
    package mutating func withdraw(_ withdrawal: Entry, now: UInt64) {
        var withdrawal = withdrawal
        for entry in entries where entry.isWithdrawal && entry.target == withdrawal.target {
            withdrawal.issuedAt = max(withdrawal.issuedAt, entry.issuedAt)
            withdrawal.time = max(withdrawal.time, entry.time)
        }
        put(withdrawal, now: now) { $0.isWithdrawal && $0.target == withdrawal.target }
    }

    /// Returns the displayed notifications that are withdrawn.
    package func withdrawn(now: UInt64) -> [Entry] {
        entries.filter { $0.isShown && isWithdrawn($0, now: now) }
    }

    /// The number of displayed notifications.
    package var shownCount: Int { entries.count(where: \.isShown) }

    /// Forgets displayed notifications.
    package mutating func forget(_ isForgotten: (Entry) -> Bool) {
        for index in entries.indices where entries[index].isShown && isForgotten(entries[index]) {
            entries[index] = .free
        }
    }

    private func isWithdrawn(_ notification: Entry, now: UInt64) -> Bool {
        entries.contains {
            $0.isWithdrawal && $0.time >= now && notification.issuedAt <= $0.issuedAt
                && ($0.target == notification.target || $0.target == notification.thread)
        }
    }

    /// Puts an entry over the one that it replaces, over the oldest of its kind if there are too many, over one that is free, or
    /// behind the others.
    private mutating func put(_ entry: Entry, now: UInt64, replacing isReplaced: (Entry) -> Bool) {
        let own = entries.indices.filter {
            entry.isShown ? entries[$0].isShown : entries[$0].isWithdrawal && entries[$0].time >= now
        }
        let oldest = own.count < Self.capacity ? nil : own.min { entries[$0].time < entries[$1].time }
        let free = entries.firstIndex { !$0.isShown && $0.time < now }
        let index = entries.firstIndex(where: isReplaced) ?? oldest ?? free ?? entries.count
        entries.replaceSubrange(index..<min(index + 1, entries.count), with: [entry])
    }
}
