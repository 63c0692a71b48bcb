/// The displayed notifications, and the withdrawals that act on late ones, as a value.
///
/// Each decision between a notification and a withdrawal is one call here, made under the lock of a file, so that a
/// test can try every order.
package struct WithdrawalLedger: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// The hash of the account's name.
        package var account: [UInt8]
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
        /// The ID of the notification's message; empty for a withdrawal.
        package var message: [UInt8]
        package var state = State.current

        package init(
            account: [UInt8], identifier: [UInt8] = [], target: [UInt8], thread: [UInt8] = [], issuedAt: UInt64,
            time: UInt64, message: [UInt8] = []
        ) {
            self.account = account
            self.identifier = identifier
            self.target = target
            self.thread = thread
            self.issuedAt = issuedAt
            self.time = time
            self.message = message
        }

        /// A free entry.
        static let free = Entry(account: [], target: [], issuedAt: 0, time: 0)

        var name: String { String(decoding: identifier, as: UTF8.self) }

        var isShown: Bool { !identifier.isEmpty }

        var isWithdrawal: Bool { identifier.isEmpty && time > 0 }

        /// Returns a Boolean value that indicates whether withdrawals have one target, or are limits of one account.
        fileprivate func names(theTargetOf other: Entry) -> Bool {
            guard account == other.account, (state == .limit) == (other.state == .limit) else { return false }
            return state == .limit || target == other.target
        }

        /// Returns a Boolean value that indicates whether two entries compete for room.
        fileprivate func competes(with other: Entry) -> Bool {
            account == other.account && isShown == other.isShown && state.room == other.state.room
        }
    }

    package enum State: UInt8, Sendable {
        case current = 0
        /// A later notification displays the same message.
        case superseded = 1
        /// The app has dropped the message, which no server has withdrawn.
        case dropped = 2
        /// The entry has the issue time of the latest withdrawal that the account had no room for.
        case limit = 3

        /// The state whose entries have the same room.
        fileprivate var room: State { self == .superseded ? .current : self }
    }

    /// The greatest number of an account's notifications, of its targets that are withdrawn, and of its messages that
    /// the app has dropped.
    static let capacity = 500

    package private(set) var entries: [Entry]

    /// The time before which withdrawals may have been forgotten with an earlier file, in milliseconds since 1970.
    package let start: UInt64

    package init(_ entries: [Entry] = [], start: UInt64 = 0) {
        self.entries = entries
        self.start = start
    }

    /// The answer to a notification that is about to be displayed.
    package enum Answer: Sendable, Hashable {
        /// It's recorded; these notifications display the same message.
        case shown(doubles: [String])
        case withdrawn
        /// It may have been withdrawn: the withdrawals of its time are forgotten.
        case possiblyWithdrawn
    }

    /// Records a notification that is about to be displayed, if it has an identifier and isn't withdrawn.
    ///
    /// The beginning of the ledger counts neither for a message to a newer key, nor for one that the ledger knows.
    /// `seeming` are identifiers of notifications that display the same message, unless the ledger knows better.
    package mutating func show(
        _ notification: Entry, seeming: [String] = [], isKeyNewer: () -> Bool = { false }, now: UInt64
    ) -> Answer {
        guard !isWithdrawn(notification, now: now) else { return .withdrawn }
        guard notification.issuedAt > start || start == 0 || knows(notification) || isKeyNewer() else {
            return .possiblyWithdrawn
        }
        let limit = entries.first { $0.state == .limit && $0.account == notification.account && $0.time >= now }
        guard notification.issuedAt > limit?.issuedAt ?? 0 else { return .possiblyWithdrawn }
        let displaced = Set(entries.filter { $0.isShown && $0.message != notification.message }.map(\.name))
        let seeming = seeming.filter { !displaced.contains($0) && $0 != notification.name }
        guard notification.isShown else { return .shown(doubles: seeming) }
        // Of any account: the system replaces it.
        forget { $0.identifier == notification.identifier }
        let doubles = supersede(notification)
        put(notification, now: now)
        return .shown(doubles: doubles + seeming.filter { !doubles.contains($0) })
    }

    /// Returns a Boolean value that indicates whether a notification displays the same message.
    private func knows(_ notification: Entry) -> Bool {
        guard !notification.message.isEmpty else { return false }
        return entries.contains {
            $0.isShown && $0.message == notification.message && $0.account == notification.account
        }
    }

    /// Marks the notifications that display the same message as another one, and returns their identifiers.
    private mutating func supersede(_ notification: Entry) -> [String] {
        guard !notification.message.isEmpty else { return [] }
        var doubles: [String] = []
        for index in entries.indices
        where entries[index].isShown && entries[index].message == notification.message
            && entries[index].account == notification.account
        {
            entries[index].state = .superseded
            doubles.append(entries[index].name)
        }
        return doubles
    }

    /// Returns a Boolean value that indicates whether a withdrawal acts on a notification.
    package func isWithdrawn(_ notification: Entry, now: UInt64) -> Bool {
        Self.acts(withdrawals(now: now), on: notification)
    }

    /// Records a withdrawal of one target, which acts until its time.
    ///
    /// It also withdraws the messages that displayed notifications with the target have: an attacker can send a copy
    /// with another identifier.
    package mutating func withdraw(_ withdrawal: Entry, now: UInt64) {
        let messages = entries.filter {
            $0.isShown && $0.account == withdrawal.account && $0.issuedAt <= withdrawal.issuedAt
                && [$0.target, $0.thread].contains(withdrawal.target)
        }.map(\.message)
        record(withdrawal, now: now)
        for message in Set(messages) where !message.isEmpty {
            var copy = withdrawal
            copy.target = message
            record(copy, now: now)
        }
    }

    private mutating func record(_ withdrawal: Entry, now: UInt64) {
        var withdrawal = withdrawal
        for (index, entry) in entries.enumerated()
        where entry.isWithdrawal && entry.names(theTargetOf: withdrawal) {
            if entry.state == .current { withdrawal.state = .current }
            withdrawal.issuedAt = max(withdrawal.issuedAt, entry.issuedAt)
            withdrawal.time = max(withdrawal.time, entry.time)
            entries[index] = .free
        }
        put(withdrawal, now: now)
    }

    /// Returns the displayed notifications that are withdrawn.
    package func withdrawn(now: UInt64) -> [Entry] {
        let withdrawals = withdrawals(now: now)
        return withdrawals.isEmpty ? [] : entries.filter { $0.isShown && Self.acts(withdrawals, on: $0) }
    }

    /// The number of displayed notifications that no later one supersedes.
    package var shownCount: Int { entries.count { $0.isShown && $0.state == .current } }

    /// The displayed notifications whose message a later one displays.
    package var superseded: [Entry] { entries.filter { $0.isShown && $0.state == .superseded } }

    /// Forgets displayed notifications.
    package mutating func forget(_ isForgotten: (Entry) -> Bool) {
        for index in entries.indices where entries[index].isShown && isForgotten(entries[index]) {
            entries[index] = .free
        }
    }

    /// The last issue time of the withdrawals, by their accounts and targets.
    private func withdrawals(now: UInt64) -> [[UInt8]: UInt64] {
        let acting = entries.filter { $0.isWithdrawal && $0.state != .limit && $0.time >= now }
        return Dictionary(acting.map { ($0.account + $0.target, $0.issuedAt) }, uniquingKeysWith: max)
    }

    private static func acts(_ withdrawals: [[UInt8]: UInt64], on notification: Entry) -> Bool {
        [notification.target, notification.thread, notification.message].contains { target in
            withdrawals[notification.account + target].map { notification.issuedAt <= $0 } ?? false
        }
    }

    /// Stores an entry.
    ///
    /// It replaces the oldest entry that competes with it if the account is full. Otherwise it takes a free slot, or is
    /// appended. The account remembers the time of a withdrawal that gives way.
    private mutating func put(_ entry: Entry, now: UInt64) {
        let own = entries.indices.filter { entries[$0].competes(with: entry) }
        // Superseded entries first, because an attacker can cause any number of them within an hour.
        let oldest = own.count < Self.capacity ? nil : own.min { isOlder(entries[$0], than: entries[$1]) }
        if let oldest { limit(by: entries[oldest], now: now) }
        let free = entries.firstIndex { !$0.isShown && $0.time < now }
        let index = oldest ?? free ?? entries.count
        entries.replaceSubrange(index..<min(index + 1, entries.count), with: [entry])
    }

    /// Records that an account's messages may have been withdrawn if they were issued no later than a withdrawal.
    ///
    /// A date in the future counts as now, because it must not shut out all messages until then.
    private mutating func limit(by forgotten: Entry, now: UInt64) {
        guard forgotten.isWithdrawal, forgotten.state == .current, forgotten.time >= now else { return }
        var limit = forgotten
        limit.target = []
        limit.issuedAt = min(forgotten.issuedAt, now)
        limit.state = .limit
        record(limit, now: now)
    }

    private func isOlder(_ one: Entry, than other: Entry) -> Bool {
        one.state == other.state ? one.time < other.time : one.state == .superseded
    }
}
