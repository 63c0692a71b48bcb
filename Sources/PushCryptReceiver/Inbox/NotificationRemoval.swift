internal import Foundation
internal import PushCryptCore

/// The removal of withdrawn notifications from the system's list.
struct NotificationRemoval: Sendable {
    let store: SharedStore
    let countsBadge: Bool

    /// Begins to remove displayed notifications that are withdrawn.
    func begin(on list: any DeliveredList) throws(PushCryptError) {
        try store.withLedger { (ledger, _) throws(PushCryptError) in
            let withdrawn = ledger.withdrawn(now: store.now.millisecondsSince1970).map(\.name)
            // Under the lock, so that it doesn't remove a later notification with the same
            // identifier.
            if !withdrawn.isEmpty { list.remove(withdrawn) }
        }
    }

    /// Begins to remove displayed notifications whose message a later one displays.
    ///
    /// Only the app calls it, after it has opened what the extension was killed over. An entry
    /// stays until the system's list has had its notification.
    func beginDoubles(
        on list: any DeliveredList, displaying listed: Set<String>, at asked: Ledger.Listing
    )
        throws(PushCryptError)
    {
        try store.withLedger { (ledger, _) throws(PushCryptError) in
            let superseded = ledger.superseded
            if !superseded.isEmpty { list.remove(superseded.map(\.name)) }
            ledger.settle(now: store.now.millisecondsSince1970) {
                $0.state == .superseded && (listed.contains($0.name) || asked.isSettled(for: $0))
            }
        }
    }

    /// Removes displayed notifications that are withdrawn, and returns when the system has removed
    /// them.
    ///
    /// The system removes them asynchronously, and displays a notification some time after its
    /// hand-over. An entry stays until its notification is gone, so that the next call continues if
    /// the process is killed.
    func run(on list: any DeliveredList) async throws(PushCryptError) {
        for attempt in 0..<10 where attempt == 0 || !Task.isCancelled {
            try begin(on: list)
            let asked = Ledger.Listing(time: store.now.millisecondsSince1970)
            let listed = await list.identifiers()
            let isDone = try store.withLedger { (ledger, _) throws(PushCryptError) in
                let now = store.now.millisecondsSince1970
                let withdrawn = Set(ledger.withdrawn(now: now))
                ledger.settle(now: now) {
                    withdrawn.contains($0) && !listed.contains($0.name) && asked.isSettled(for: $0)
                }
                return ledger.withdrawn(now: now).isEmpty
            }
            if isDone || Task.isCancelled { break }
            try? await Task.sleep(nanoseconds: 250_000_000)
        }
        // After the end of the request, no lock may be taken.
        if countsBadge, !Task.isCancelled { await list.setBadge(try store.shownCount()) }
    }
}

extension SharedStore {
    /// Returns the number of displayed notifications that weren't withdrawn or cleared.
    func shownCount() throws(PushCryptError) -> Int {
        try withLedger { (ledger, _) throws(PushCryptError) in
            let withdrawn = ledger.withdrawn(now: now.millisecondsSince1970)
            return ledger.shownCount - withdrawn.count { $0.state == .shown }
        }
    }
}

extension PushInbox {
    /// Begins to remove notifications that are withdrawn.
    func beginRemoval(from list: any DeliveredList) {
        guard let store else { return }
        try? NotificationRemoval(store: store, countsBadge: false).begin(on: list)
    }

    /// Removes notifications whose message another one displays, unless others have taken their
    /// places since.
    func removeDoubles(_ doubles: [String], from list: any DeliveredList) {
        guard !doubles.isEmpty else { return }
        guard let store else { return list.remove(doubles) }
        // Under the lock, so that no other message takes the place before the removal.
        try? store.withLedger { (ledger, _) throws(PushCryptError) in
            let still = ledger.stillDoubles(doubles)
            if !still.isEmpty { list.remove(still) }
        }
    }
}
