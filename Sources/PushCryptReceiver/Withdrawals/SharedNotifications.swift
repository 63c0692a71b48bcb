package import Foundation
public import PushCryptCore
internal import PushCryptKeyring
package import PushCryptPayload
internal import PushCryptSystem

/// The displayed notifications, the withdrawals and the user's choice of display, in files that the app and its
/// extension share.
///
/// ```swift
/// let shared = SharedNotifications(directory: "/path/of/the/app/group")
/// try shared.setDisplay(.titleOnly)
/// ```
///
/// The files contain identifiers of notifications, times and hashes. They never contain content, names of threads or
/// names of accounts. Reading or writing delays a notification by at most about 50 ms.
public struct SharedNotifications: Sendable {
    private let directory: String
    private let time: any TimeSource
    let countsBadge: Bool

    /// Gives a file the platform's attributes, and creates it if it's missing.
    package var create: @Sendable (_ path: String) -> Void = { _ in }

    /// Names the files without opening them.
    ///
    /// - Parameters:
    ///   - directory: The path of an existing directory, in the app group's container.
    ///   - countsBadge: `true` sets the app's badge to the number of displayed notifications, unless the original has a
    ///     badge.
    ///   - time: The source of the time.
    public init(directory: String, countsBadge: Bool = false, time: any TimeSource = SystemTime()) {
        self.directory = directory
        self.countsBadge = countsBadge
        self.time = time
    }

    // MARK: The user's choice

    /// The part of opened notifications to display; ``NotificationDisplay/full`` if the app hasn't set it.
    ///
    /// If the file can't be read, it's ``NotificationDisplay/nothing``, because the user may have chosen less.
    public var display: NotificationDisplay {
        do throws(PushCryptError) {
            guard let name = try displayFile.readIfPresent() else { return .full }
            return .init(rawValue: name.withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) }) ?? .nothing
        } catch {
            return .nothing
        }
    }

    /// Sets the part of opened notifications to display, from the next one on.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound` if the directory is missing, `insecureFile`, `lockTimeout` or
    ///   `fileSystemError`.
    public func setDisplay(_ display: NotificationDisplay) throws(PushCryptError) {
        let name = Array(display.rawValue.utf8)
        // Synced, because after a power failure the device must not display more than the user has chosen.
        try displayFile.withLock { () throws(PushCryptError) in
            try displayFile.replace(SecretBytes(copying: name.span))
        }
        create(displayFile.path)
    }

    private var displayFile: SecretFile { SecretFile(directory + "/pushcrypt.display") }

    // MARK: Displayed notifications

    /// Returns the number of displayed notifications that weren't withdrawn or cleared, for the app's badge.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func count() throws(PushCryptError) -> Int {
        try withLedger { (ledger, _) throws(PushCryptError) in ledger.shownCount - ledger.withdrawn(now: now).count }
    }

    /// Forgets the displayed notifications, after the user has read them.
    ///
    /// Withdrawals stay.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func clear() throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in ledger.forget { _ in true } }
    }

    /// Records a notification that is about to be displayed.
    ///
    /// - Returns: `false` if the notification was withdrawn.
    func admit(_ push: OpenedPush, identifier: String, thread: String) throws(PushCryptError) -> Bool {
        let bytes = Array(identifier.utf8)
        return try withLedger { (ledger, hash) throws(PushCryptError) in
            let entry = WithdrawalLedger.Entry(
                account: try hash(nil, push.account),
                identifier: bytes.count <= LedgerFile.longestIdentifier ? bytes : [],
                target: try hash(.collapseIDs, identifier),
                thread: try hash(.threadIDs, thread), issuedAt: push.issuedAt.millisecondsSince1970, time: now)
            return ledger.show(entry, now: now)
        }
    }

    /// Forgets a notification that another one replaces.
    func forget(_ identifier: String) throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in ledger.forget { $0.name == identifier } }
    }

    /// Records a withdrawal, which acts on late notifications until the end of its lifetime, in seconds.
    package func withdraw(
        _ withdrawal: Withdrawal, account: String, issuedAt: Date, lifetime: TimeInterval
    ) throws(PushCryptError) {
        // The app's date can be far in the future.
        let issuedAt = min(issuedAt.millisecondsSince1970, .max / 2)
        let end = issuedAt + Freshness.standard.maximumAge(lifetime: Freshness.milliseconds(lifetime))
        try withLedger { (ledger, hash) throws(PushCryptError) in
            let account = try hash(nil, account)
            for (name, texts) in [(.collapseIDs, withdrawal.collapseIDs), (.threadIDs, withdrawal.threadIDs)]
                as [(Withdrawal.Member, [String])]
            {
                for text in texts where !text.isEmpty {
                    let target = try hash(name, text)
                    ledger.withdraw(.init(account: account, target: target, issuedAt: issuedAt, time: end), now: now)
                }
            }
        }
    }

    /// Records an opened withdrawal.
    func withdraw(_ withdrawal: Withdrawal, _ push: OpenedPush) throws(PushCryptError) {
        try withdraw(withdrawal, account: push.account, issuedAt: push.issuedAt, lifetime: push.lifetime)
    }

    /// Begins to remove displayed notifications that are withdrawn.
    func beginRemoving(from list: any DeliveredList) throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in
            let withdrawn = ledger.withdrawn(now: now).map(\.name)
            // Under the lock, so that it doesn't remove a later notification with the same identifier.
            if !withdrawn.isEmpty { list.remove(withdrawn) }
        }
    }

    /// Removes displayed notifications that are withdrawn, and returns when the system has removed them.
    ///
    /// The system removes them asynchronously, and displays a notification some time after its hand-over. An entry
    /// stays until its notification is gone, so that the next call continues if the process is killed.
    package func removeWithdrawn(from list: any DeliveredList) async throws(PushCryptError) {
        for _ in 0..<10 {
            try beginRemoving(from: list)
            let asked = now
            let listed = await list.identifiers()
            let isDone = try withLedger { (ledger, _) throws(PushCryptError) in
                let withdrawn = Set(ledger.withdrawn(now: now))
                ledger.forget {
                    // Also after the clock was set back.
                    let age = max(asked, $0.time) - min(asked, $0.time)
                    return withdrawn.contains($0) && !listed.contains($0.name) && age > Self.longestDisplay
                }
                return ledger.withdrawn(now: now).isEmpty
            }
            if isDone || Task.isCancelled { break }
            try? await Task.sleep(nanoseconds: 250_000_000)
        }
        if countsBadge { await list.setBadge(try count()) }
    }

    /// The longest time in milliseconds between the hand-over of a notification and its appearance.
    private static let longestDisplay: UInt64 = 2000

    private var now: UInt64 { time.now.millisecondsSince1970 }

    private func withLedger<Result>(
        _ body: (inout WithdrawalLedger, LedgerHash) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let path = directory + "/pushcrypt.shown"
        create(path)
        return try LedgerFile(path).withLedger(body)
    }
}

/// The system's list of delivered notifications.
package protocol DeliveredList: Sendable {
    /// Begins to remove notifications, and returns at once.
    func remove(_ identifiers: [String])

    /// Returns the identifiers of the delivered notifications, after earlier removals.
    func identifiers() async -> Set<String>

    /// Sets the number on the app's icon, and returns when the system has set or refused it.
    func setBadge(_ count: Int) async
}
