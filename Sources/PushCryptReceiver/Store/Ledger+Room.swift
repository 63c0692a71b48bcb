// The room of an account, and what it forgets.
extension Ledger {
    /// Stores an entry in a free slot, or in the slot of the entry that leaves if the account has
    /// no room.
    mutating func put(_ entry: Entry, now: UInt64) {
        let own = competitors(of: entry, now: now)
        guard own.count >= entry.state.room.capacity, let index = leaving(of: own) else {
            let index = entries.firstIndex { isFree($0, now: now) } ?? entries.count
            return entries.replaceSubrange(index..<min(index + 1, entries.count), with: [entry])
        }
        let leaving = entries[index]
        entries[index] = entry
        give(way: leaving, now: now)
    }

    /// Has the entry leave that comes first, if an account has more entries of a kind than there is
    /// room for.
    mutating func dropExcess(beside entry: Entry, now: UInt64) {
        let own = competitors(of: entry, now: now)
        guard own.count > entry.state.room.capacity, let index = leaving(of: own) else { return }
        let leaving = entries[index]
        entries[index] = .free
        give(way: leaving, now: now)
    }

    /// Returns the entries that share the room of an entry, without those that have ended.
    private func competitors(of entry: Entry, now: UInt64) -> [Int] {
        entries.indices.filter {
            entries[$0].sharesRoom(with: entry) && !isFree(entries[$0], now: now)
        }
    }

    private func isFree(_ entry: Entry, now: UInt64) -> Bool {
        entry.state == .free || !entry.isListed && entry.end < now
    }

    /// Returns the entry that leaves first, of those that share a room.
    ///
    /// Superseded ones leave first, because an attacker can cause any number of them within an
    /// hour. For the same reason, the first name of a message leaves after its later ones, and what
    /// is known of a displayed message last.
    private func leaving(of own: [Int]) -> Int? {
        guard let first = own.first else { return nil }
        let account = entries[first].account
        let listed = Set(entries.filter { $0.isListed && $0.account == account }.map(\.message))
        return own.min { one, other in
            rank(of: entries[one], listed) < rank(of: entries[other], listed)
        }
    }

    private func rank(of entry: Entry, _ listed: Set<Digest>) -> (Int, UInt64) {
        switch entry.state {
        case .superseded: (0, entry.time)
        case .shown: (1, entry.time)
        case .known:
            ((listed.contains(entry.message) ? 2 : 0) + (entry.isFirst ? 1 : 0), entry.issuedAt)
        case .free, .withdrawal, .dropped, .limit, .forgotten: (0, entry.end)
        }
    }

    /// Records what the account forgets with an entry that leaves.
    ///
    /// A date in the future counts as now, because it must not shut out all messages until then.
    private mutating func give(way leaving: Entry, now: UInt64) {
        var memory = Entry(
            account: leaving.account, target: .none, issuedAt: min(leaving.issuedAt, max(now, 1)),
            end: leaving.end)
        switch leaving.state {
        case .shown, .superseded:
            memory = leaving
            memory.state = .known
            put(memory, now: now)
        case .known where leaving.end >= now:
            memory.state = .forgotten
            // What the ledger knows of a displayed message isn't complete any more, either.
            memory.time = isListed(leaving) ? memory.issuedAt : 0
            record(memory, now: now)
        case .withdrawal where leaving.end >= now:
            memory.state = .limit
            record(memory, now: now)
        case .free, .known, .withdrawal, .dropped, .limit, .forgotten: break
        }
    }
}
