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
    private let secrets: (any DeviceSecretsStore)?
    private let mostPrivateDisplay: NotificationDisplay
    let countsBadge: Bool

    /// Gives a file the platform's attributes, and creates it if it's missing.
    package var create: @Sendable (_ path: String) -> Void = { _ in }

    /// Names the files without opening them.
    ///
    /// - Parameters:
    ///   - directory: The path of an existing directory, in the app group's container.
    ///   - countsBadge: `true` sets the app's badge to the number of displayed notifications, unless the original has a
    ///     badge.
    ///   - mostPrivateDisplay: The choice of display while the user's own choice is lost, until the app sets it again.
    ///     An app that doesn't let the user choose names ``NotificationDisplay/full``.
    ///   - secrets: The device's secrets, whose epoch the files carry; `nil` can't recognize a lost file.
    ///   - time: The source of the time.
    public init(
        directory: String, countsBadge: Bool = false, mostPrivateDisplay: NotificationDisplay = .nothing,
        secrets: (any DeviceSecretsStore)? = nil, time: any TimeSource = SystemTime()
    ) {
        self.directory = directory
        self.countsBadge = countsBadge
        self.mostPrivateDisplay = mostPrivateDisplay
        self.secrets = secrets.map { CachedSecretsStore.reading($0) }
        self.time = time
    }

    // MARK: The user's choice

    /// The part of opened notifications to display; ``NotificationDisplay/full`` if the app has never set it.
    ///
    /// If the file was lost, or carries another epoch than the device's secrets, it's the most private choice that the
    /// app names. If the file can't be read, it's ``NotificationDisplay/nothing``, because the user may have chosen
    /// less.
    public var display: NotificationDisplay {
        do throws(PushCryptError) {
            let epoch = try epoch()
            guard let stored = try displayChoice.read() else { return epoch == nil ? .full : mostPrivateDisplay }
            return stored.epoch == epoch ? stored.display : mostPrivateDisplay
        } catch {
            return .nothing
        }
    }

    /// Sets the part of opened notifications to display, from the next one on.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound` if the directory is missing, `insecureFile`, `lockTimeout` or
    ///   `fileSystemError`; or `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the secrets can't be read.
    public func setDisplay(_ display: NotificationDisplay) throws(PushCryptError) {
        try setDisplay(display, under: epoch())
    }

    func setDisplay(_ display: NotificationDisplay, under epoch: StoreEpoch?) throws(PushCryptError) {
        try displayChoice.write(display, under: epoch)
        create(displayChoice.path)
    }

    private var displayChoice: DisplayChoice { DisplayChoice(path: directory + "/pushcrypt.display") }

    /// Reads the secrets, which may block, so that later calls find them.
    func readSecrets() { _ = try? secrets?.read() }

    private func epoch() throws(PushCryptError) -> StoreEpoch? { try secrets?.read()?.epoch }

    // MARK: Challenges

    /// The visible challenges that the extension has opened.
    var challenges: StoredChallenges {
        let path = directory + "/pushcrypt.challenges"
        create(path)
        return StoredChallenges(path: path)
    }

    /// Stores a challenge for the app.
    func storeChallenge(_ value: SealedValue) throws(PushCryptError) {
        try challenges.add(value, at: time.now)
    }

    // MARK: Displayed notifications

    /// Returns the number of displayed notifications that weren't withdrawn or cleared, for the app's badge.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func count() throws(PushCryptError) -> Int {
        try withLedger { (ledger, _) throws(PushCryptError) in
            ledger.shownCount - ledger.withdrawn(now: now).count { $0.state == .current }
        }
    }

    /// Forgets the displayed notifications, after the user has read them.
    ///
    /// Withdrawals stay.
    ///
    /// - Throws: ``PushCryptError`` as ``setDisplay(_:)`` does.
    public func clear() throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in ledger.forget { _ in true } }
    }

    /// Records a notification that is about to be displayed, unless it was withdrawn.
    ///
    /// `doubles` are the identifiers of notifications that seem to display the same message.
    func admit(
        _ push: OpenedPush, identifier: String, thread: String, doubles: [String]
    ) throws(PushCryptError) -> WithdrawalLedger.Answer {
        try withLedger { (ledger, hash) throws(PushCryptError) in
            let entry = try entry(for: push, identifier: identifier, thread: thread, hash)
            let start = Date(millisecondsSince1970: ledger.start)
            return ledger.show(
                entry, seeming: doubles, isKeyNewer: { push.isSealedToKey(createdSince: start) }, now: now)
        }
    }

    /// Returns a Boolean value that indicates whether a message was withdrawn before its notification is displayed.
    func isWithdrawn(_ push: OpenedPush, identifier: String, thread: String) throws(PushCryptError) -> Bool {
        try withLedger { (ledger, hash) throws(PushCryptError) in
            ledger.isWithdrawn(try entry(for: push, identifier: identifier, thread: thread, hash), now: now)
        }
    }

    /// Returns a Boolean value that indicates whether a displayed notification is withdrawn, and about to be removed.
    func isWithdrawn(_ identifier: String) throws(PushCryptError) -> Bool {
        try withLedger { (ledger, _) throws(PushCryptError) in
            ledger.withdrawn(now: now).contains { $0.name == identifier }
        }
    }

    private func entry(
        for push: OpenedPush, identifier: String, thread: String, _ hash: LedgerHash
    ) throws(PushCryptError) -> WithdrawalLedger.Entry {
        let bytes = Array(identifier.utf8)
        return WithdrawalLedger.Entry(
            account: try hash(nil, push.account),
            identifier: bytes.count <= LedgerFile.longestIdentifier ? bytes : [],
            target: try hash(.collapseIDs, identifier),
            thread: try hash(.threadIDs, thread), issuedAt: push.issuedAt.millisecondsSince1970, time: now,
            message: push.messageID.bytes)
    }

    /// Forgets a notification that another one replaces.
    func forget(_ identifier: String) throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in ledger.forget { $0.name == identifier } }
    }

    /// Records a withdrawal, which acts on late notifications.
    ///
    /// It's remembered until the latest possible end of what it withdraws: 32 days after its issue.
    package func withdraw(
        _ withdrawal: Withdrawal, account: String, issuedAt: Date
    ) throws(PushCryptError) {
        // The app's date can be far in the future.
        let issuedAt = min(issuedAt.millisecondsSince1970, .max / 2)
        let end = issuedAt + Freshness.standard.maximumAge(lifetime: .max)
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

    /// Records a message that isn't displayed, so that a copy of it isn't either.
    func drop(_ push: OpenedPush) throws(PushCryptError) {
        let end = push.issuedAt.millisecondsSince1970 + Freshness.standard.maximumAge(lifetime: .max)
        try withLedger { (ledger, hash) throws(PushCryptError) in
            var dropped = WithdrawalLedger.Entry(
                account: try hash(nil, push.account), target: push.messageID.bytes,
                issuedAt: push.issuedAt.millisecondsSince1970, time: end)
            dropped.state = .dropped
            ledger.withdraw(dropped, now: now)
        }
    }

    /// Records an opened withdrawal.
    func withdraw(_ withdrawal: Withdrawal, _ push: OpenedPush) throws(PushCryptError) {
        try withdraw(withdrawal, account: push.account, issuedAt: push.issuedAt)
    }

    /// Begins to remove displayed notifications that are withdrawn.
    func beginRemoving(from list: any DeliveredList) throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in
            let withdrawn = ledger.withdrawn(now: now).map(\.name)
            // Under the lock, so that it doesn't remove a later notification with the same identifier.
            if !withdrawn.isEmpty { list.remove(withdrawn) }
        }
    }

    /// Begins to remove displayed notifications whose message a later one displays.
    ///
    /// Only the app calls it, because it also opens the later one if the extension was killed over it.
    func beginRemovingDoubles(from list: any DeliveredList) throws(PushCryptError) {
        try withLedger { (ledger, _) throws(PushCryptError) in
            let superseded = ledger.superseded.map(\.name)
            if !superseded.isEmpty { list.remove(superseded) }
            ledger.forget { $0.state == .superseded }
        }
    }

    /// Removes displayed notifications that are withdrawn, and returns when the system has removed them.
    ///
    /// The system removes them asynchronously, and displays a notification some time after its hand-over. An entry
    /// stays until its notification is gone, so that the next call continues if the process is killed.
    package func removeWithdrawn(from list: any DeliveredList) async throws(PushCryptError) {
        for attempt in 0..<10 where attempt == 0 || !Task.isCancelled {
            try beginRemoving(from: list)
            let asked = now
            let listed = await list.identifiers()
            let isDone = try withLedger { (ledger, _) throws(PushCryptError) in
                let withdrawn = Set(ledger.withdrawn(now: now))
                ledger.forget {
                    // Works after the clock was set back, too.
                    let age = max(asked, $0.time) - min(asked, $0.time)
                    return withdrawn.contains($0) && !listed.contains($0.name) && age > Self.longestDisplay
                }
                return ledger.withdrawn(now: now).isEmpty
            }
            if isDone || Task.isCancelled { break }
            try? await Task.sleep(nanoseconds: 250_000_000)
        }
        // After the end of the request, no lock may be taken.
        if countsBadge, !Task.isCancelled { await list.setBadge(try count()) }
    }

    /// The longest time in milliseconds between the hand-over of a notification and its appearance.
    private static let longestDisplay: UInt64 = 2000

    private var now: UInt64 { time.now.millisecondsSince1970 }

    private func withLedger<Result>(
        _ body: (inout WithdrawalLedger, LedgerHash) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        // Before the file changes: unreadable secrets aren't missing ones.
        let epoch = try epoch()
        create(ledgerPath)
        return try LedgerFile(ledgerPath).withLedger(under: epoch, now: now, body)
    }

    private var ledgerPath: String { directory + "/pushcrypt.shown" }

    /// Gives the files the epoch of the secrets and stores the user's choice, when the app starts.
    func prepare(_ found: FoundSecrets, display: NotificationDisplay) throws(PushCryptError) {
        create(ledgerPath)
        try LedgerFile(ledgerPath).prepare(found, now: now)
        try setDisplay(display, under: found.secrets.epoch)
    }
}

/// The system's list of delivered notifications.
package protocol DeliveredList: Sendable {
    /// Begins to remove notifications, and returns at once.
    func remove(_ identifiers: [String])

    /// Returns the identifiers of the delivered notifications, after earlier removals.
    func identifiers() async -> Set<String>

    /// Sets the number on the app's icon, and returns when the system has set or rejected it.
    func setBadge(_ count: Int) async
}
