/// The messages that a device knows, and the withdrawals that act on them, as a value.
///
/// It knows messages, not places on the screen. A message that was recorded or shown under an
/// identifier stays known until its end, whatever replaces its notification. So a withdrawal
/// reaches it, and a copy of it displays nothing.
///
/// Each decision between a notification and a withdrawal is one call here, made under the store's
/// lock, so that a test can try every order.
struct Ledger: Sendable, Hashable {
    var entries: [Entry]

    /// The time before which withdrawals may have been forgotten with an earlier file, in
    /// milliseconds since 1970.
    let start: UInt64

    init(_ entries: [Entry] = [], start: UInt64 = 0) {
        self.entries = entries
        self.start = start
    }

    // MARK: Look up

    /// The circumstances of an arriving message.
    struct Arrival {
        /// A Boolean value that indicates whether the replay guard has recorded the message before.
        var isCopy = false
        /// Returns a Boolean value that indicates whether the message's key is newer than the
        /// ledger.
        var isKeyNewer: () -> Bool = { false }

        init(isCopy: Bool = false, isKeyNewer: @escaping () -> Bool = { false }) {
            self.isCopy = isCopy
            self.isKeyNewer = isKeyNewer
        }
    }

    /// The relation between a message and the withdrawals.
    enum Verdict: Sendable, Hashable {
        case free
        case withdrawn
        /// It may have been withdrawn: the withdrawals of its time, or the message itself, are
        /// forgotten.
        case possiblyWithdrawn
    }

    /// Records a message that the replay guard has admitted, and returns whether it can be
    /// displayed.
    mutating func lookUp(_ message: Entry, _ arrival: Arrival = Arrival(), now: UInt64) -> Verdict {
        let verdict = verdict(on: message, arrival, now: now)
        let isKnown = entries.contains {
            $0.isSameMessage(as: message) && $0.target == message.target
        }
        guard verdict != .possiblyWithdrawn, !isKnown else { return verdict }
        put(named(message), now: now)
        return verdict
    }

    /// Returns an entry with the mark of a message's first identifier, if it has that one.
    private func named(_ message: Entry) -> Entry {
        let others = entries.filter { $0.isSameMessage(as: message) }
        var named = message
        named.isFirst =
            others.isEmpty || others.contains { $0.isFirst && $0.target == message.target }
        return named
    }

    /// Returns a Boolean value that indicates whether a message's display depends on the age of its
    /// key.
    func asksForKey(of message: Entry) -> Bool {
        start > 0 && message.issuedAt <= start
            && !entries.contains { $0.isSameMessage(as: message) }
    }

    private func verdict(on message: Entry, _ arrival: Arrival, now: UInt64) -> Verdict {
        if acts(on: message, now: now) { return .withdrawn }
        let limit = limit(.limit, of: message.account, now: now)?.issuedAt ?? 0
        guard message.issuedAt > limit else { return .possiblyWithdrawn }
        guard !arrival.isCopy || message.issuedAt > forgotten(of: message, now: now) else {
            return .possiblyWithdrawn
        }
        return !asksForKey(of: message) || arrival.isKeyNewer() ? .free : .possiblyWithdrawn
    }

    func isListed(_ message: Entry) -> Bool {
        entries.contains { $0.isListed && $0.isSameMessage(as: message) }
    }

    /// Returns the latest issue time of the messages of which the account has forgotten an
    /// identifier.
    ///
    /// The identifiers of displayed messages are forgotten last.
    private func forgotten(of message: Entry, now: UInt64) -> UInt64 {
        let forgotten = limit(.forgotten, of: message.account, now: now)
        return (isListed(message) ? forgotten?.time : forgotten?.issuedAt) ?? 0
    }

    private func limit(_ state: State, of account: Digest, now: UInt64) -> Entry? {
        entries.first { $0.state == state && $0.account == account && $0.end >= now }
    }

    // MARK: Decide

    /// A reading of the system's list.
    struct Listing: Sendable, Hashable {
        /// The time before the reading, in milliseconds since 1970.
        let time: UInt64

        /// A Boolean value that indicates whether the list isn't read again, so that it counts for
        /// all that was handed over before.
        let isLast: Bool

        init(time: UInt64, isLast: Bool = false) {
            self.time = time
            self.isLast = isLast
        }

        /// Returns a Boolean value that indicates whether the list had time to show a notification.
        ///
        /// Works after the clock was set back, too.
        func isSettled(for entry: Entry) -> Bool {
            isLast && entry.time <= time
                || max(time, entry.time) - min(time, entry.time) > Ledger.longestDisplay
        }
    }

    /// The longest time in milliseconds between the hand-over of a notification and its appearance.
    static let longestDisplay: UInt64 = 2000

    /// The answer to a notification that is about to be displayed.
    enum Answer: Sendable, Hashable {
        /// It's recorded; these notifications display the same message.
        case shown(doubles: [String])
        case withdrawn
        case possiblyWithdrawn
        /// A newer message of the account is displayed under the identifier, or about to be.
        case outdated
    }

    /// Records a notification that is about to be displayed.
    ///
    /// - Parameters:
    ///   - notification: The message and its identifier.
    ///   - seeming: The identifiers of notifications that display the same message, unless the
    ///     ledger knows better.
    ///   - listing: The last reading of the system's list, which doesn't have a newer text; `nil`
    ///     if it wasn't read.
    ///   - arrival: The circumstances of the arrival.
    ///   - now: The time.
    /// - Returns: The answer.
    mutating func show(
        _ notification: Entry, seeming: [String] = [], after listing: Listing? = nil,
        _ arrival: Arrival = Arrival(),
        now: UInt64
    ) -> Answer {
        switch verdict(on: notification, arrival, now: now) {
        case .withdrawn: return .withdrawn
        case .possiblyWithdrawn: return .possiblyWithdrawn
        case .free: break
        }
        if let occupant = occupant(beside: notification, now: now),
            occupant.issuedAt > notification.issuedAt,
            listing?.isSettled(for: occupant) != true
        {
            return .outdated
        }
        let doubles = seeming.filter { seeming in
            !notification.isNamed(seeming)
                && !entries.contains {
                    $0.isListed && $0.message != notification.message && $0.isNamed(seeming)
                }
        }
        guard !notification.identifier.isEmpty else { return .shown(doubles: doubles) }
        supersede(notification)
        var shown = named(notification)
        shown.state = .shown
        shown.time = now
        // Before the others leave their place, so that the message is listed if one of them must
        // leave the ledger.
        if let own = entries.firstIndex(where: {
            $0.isSameMessage(as: shown) && $0.target == shown.target
        }) {
            entries[own] = shown
            dropExcess(beside: shown, now: now)
        } else {
            put(shown, now: now)
        }
        settle(now: now) { $0.identifier == shown.identifier && !$0.isSameMessage(as: shown) }
        return .shown(doubles: doubles)
    }

    /// Records that the content of a displayed notification is handed over again, unless it's
    /// withdrawn or outdated.
    ///
    /// - Parameters:
    ///   - displayed: The displayed message and its identifier.
    ///   - listing: The reading of the system's list that has it.
    ///   - now: The time.
    /// - Returns: `false` if it must not be handed over.
    mutating func keep(_ displayed: Entry, after listing: Listing, now: UInt64) -> Bool {
        let own = entries.firstIndex {
            $0.isSameMessage(as: displayed) && $0.identifier == displayed.identifier
        }
        if acts(on: own.map { entries[$0] } ?? displayed, now: now) { return false }
        if let occupant = occupant(beside: displayed, now: now), !listing.isSettled(for: occupant) {
            return false
        }
        // Until the list has it again, an older message must not take its place.
        if let own {
            entries[own].state = .shown
            entries[own].time = now
        }
        return true
    }

    /// Returns a Boolean value that indicates whether a reading of the list may lack a notification
    /// at an identifier.
    func isUnsettled(_ identifier: String, after listing: Listing?, now: UInt64) -> Bool {
        entries.contains {
            $0.state == .shown && $0.isNamed(identifier) && !acts(on: $0, now: now)
                && listing?.isSettled(for: $0) != true
        }
    }

    /// Returns the notification of another message that the same account displays under an
    /// identifier.
    private func occupant(beside entry: Entry, now: UInt64) -> Entry? {
        guard !entry.identifier.isEmpty else { return nil }
        return entries.first {
            $0.state == .shown && $0.identifier == entry.identifier && $0.account == entry.account
                && $0.message != entry.message && !acts(on: $0, now: now)
        }
    }

    /// Returns a Boolean value that indicates whether the account displays a later message under an
    /// identifier.
    func isOutdated(_ entry: Entry, now: UInt64) -> Bool {
        occupant(beside: entry, now: now).map { $0.issuedAt > entry.issuedAt } ?? false
    }

    /// Marks the notifications that display the same message as another one.
    private mutating func supersede(_ notification: Entry) {
        for index in entries.indices
        where entries[index].isListed && entries[index].isSameMessage(as: notification) {
            entries[index].state = .superseded
        }
    }

    /// Returns the notifications that a later one still supersedes: others have taken the place of
    /// the rest since.
    func stillDoubles(_ identifiers: [String]) -> [String] {
        identifiers.filter { identifier in
            !entries.contains { $0.state == .shown && $0.isNamed(identifier) }
        }
    }

    /// Records that other content takes the place of a notification of any account; its message
    /// stays known.
    mutating func leave(_ identifier: String, now: UInt64) {
        settle(now: now) { $0.isNamed(identifier) }
    }

    /// Records that the user has read all notifications; their messages stay known.
    mutating func clear(now: UInt64) { settle(now: now) { _ in true } }

    /// Records that notifications aren't in the system's list any more; their messages stay known.
    mutating func settle(now: UInt64, _ isGone: (Entry) -> Bool) {
        for index in entries.indices where entries[index].isListed && isGone(entries[index]) {
            // In place, so that a killed process loses nothing between two writes.
            entries[index].state = .known
            dropExcess(beside: entries[index], now: now)
        }
    }
}
