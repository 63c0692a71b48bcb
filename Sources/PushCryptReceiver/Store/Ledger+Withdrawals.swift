// The withdrawals, and the notifications on which they act.
extension Ledger {
    /// Returns a Boolean value that indicates whether a withdrawal acts on a message.
    ///
    /// It names an identifier under which the message was ever recorded or shown, or its thread.
    func acts(on message: Entry, now: UInt64) -> Bool {
        let acting = entries.filter {
            ($0.state == .withdrawal || $0.state == .dropped) && $0.account == message.account
                && $0.end >= now
                && $0.issuedAt >= message.issuedAt
        }
        guard !acting.isEmpty else { return false }
        let aliases = entries.filter { $0.isSameMessage(as: message) } + [message]
        let targets = Set(aliases.flatMap { [$0.target, $0.thread, $0.message] })
        return acting.contains { targets.contains($0.target) }
    }

    /// Records a withdrawal of one target, which acts until its end.
    mutating func withdraw(_ withdrawal: Entry, now: UInt64) {
        var withdrawal = withdrawal
        if withdrawal.state != .dropped { withdrawal.state = .withdrawal }
        record(withdrawal, now: now)
    }

    /// Records a withdrawal or a limit, together with an earlier one of the same target.
    mutating func record(_ entry: Entry, now: UInt64) {
        var entry = entry
        for (index, other) in entries.enumerated()
        where other.state == entry.state && other.account == entry.account
            && other.target == entry.target
        {
            entry.issuedAt = max(entry.issuedAt, other.issuedAt)
            entry.end = max(entry.end, other.end)
            entry.time = max(entry.time, other.time)
            entries[index] = .free
        }
        put(entry, now: now)
    }

    /// Returns the notifications that are withdrawn and may be displayed.
    func withdrawn(now: UInt64) -> [Entry] {
        guard entries.contains(where: { $0.state == .withdrawal || $0.state == .dropped }) else {
            return []
        }
        return entries.filter { $0.isListed && acts(on: $0, now: now) }
    }

    /// The number of displayed notifications that no later one supersedes.
    var shownCount: Int { entries.count { $0.state == .shown } }

    /// The displayed notifications whose message a later one displays.
    var superseded: [Entry] { entries.filter { $0.state == .superseded } }
}
