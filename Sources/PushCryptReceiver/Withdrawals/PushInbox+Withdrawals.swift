package import Foundation
public import PushCryptCore
package import PushCryptPayload
internal import PushCryptSystem

// The app's part: the choice of display, the badge, and messages that the user has read.
extension PushInbox {
    /// The part of opened notifications to display; ``NotificationDisplay/full`` without a shared
    /// directory.
    ///
    /// If the stored choice was lost, it's the most private one that the configuration names.
    public var display: NotificationDisplay { store?.display ?? .full }

    /// Sets the part of opened notifications to display, from the next one on.
    ///
    /// - Throws: ``PushCryptError`` with `invalidConfiguration` without a shared directory;
    ///   `fileNotFound` if it's missing, `insecureFile`, `lockTimeout` or `fileSystemError`; or
    ///   `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the secrets can't be read.
    public func setDisplay(_ display: NotificationDisplay) throws(PushCryptError) {
        try requiredStore().setDisplay(display)
        app.withLock { $0.wantedDisplay = display }
    }

    /// Returns the number of displayed notifications that weren't withdrawn or cleared, for the
    /// app's badge.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func count() throws(PushCryptError) -> Int { try requiredStore().shownCount() }

    /// Records that the user has read the displayed notifications, so that they don't count any
    /// more.
    ///
    /// Their messages stay known: a withdrawal still reaches them.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func clear() throws(PushCryptError) {
        let store = try requiredStore()
        try store.withLedger { (ledger, _) throws(PushCryptError) in
            ledger.clear(now: store.now.millisecondsSince1970)
        }
    }

    /// Records a withdrawal of the app, and removes its notifications from a list.
    package func withdraw(
        _ withdrawal: Withdrawal, account: String, issuedUntil date: Date,
        on list: any DeliveredList
    ) async throws(PushCryptError) {
        let store = try requiredStore()
        try store.withLedger { (ledger, hash) throws(PushCryptError) in
            let now = store.now.millisecondsSince1970
            try ledger.withdraw(withdrawal, account: account, issuedAt: date, hash, now: now)
        }
        try await NotificationRemoval(store: store, countsBadge: configuration.countsBadge).run(
            on: list)
    }

    func requiredStore() throws(PushCryptError) -> SharedStore {
        if let store { return store }
        throw PushCryptError(
            .invalidConfiguration,
            "The shared directory is missing. Set the configuration's directory.")
    }
}
