internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptSystem

/// The files that an app and its extensions share, in a directory of their app group.
///
/// | File | Contents | If you delete it, or it's damaged |
/// |---|---|---|
/// | `pushcrypt.lock` | nothing: its lock protects the other files | the next access creates it |
/// | `pushcrypt.ids`, one for each account | the replay guard of notifications | it begins now |
/// | `pushcrypt.background`, likewise | the replay guard of pushes that the app opens | likewise |
/// | `pushcrypt.ledger` | known messages, withdrawals, displayed notifications | it begins now |
/// | `pushcrypt.display`, `.lock` | the choice of display | the most private until the app starts |
/// | `pushcrypt.challenges` | visible challenges, for the app | the app asks for another one |
/// | `pushcrypt.removed` | keys of removed accounts | their pushes display the general fallback |
/// | `pushcrypt.outcomes` | the delivery log | the log begins again |
///
/// A file that begins now rejects earlier messages as `possiblyReplayed` or `possiblyWithdrawn`,
/// except those to newer keys.
///
/// An access takes the lock for at most about 50 ms. A process that is killed loses nothing that it
/// has written, because each record is one write. A power failure can lose the last records.
///
/// The files stay apart for these reasons. The log must be writable before the first unlock, so no
/// passcode protects it. The choice of display is replaced and synced as a whole, because a lost
/// one must not display more. A guard's file has a fixed number of records for each account, so
/// that one account doesn't displace another one's messages.
///
/// The guards, the ledger and the choice carry the epoch of the device's secrets. A file without it
/// was deleted, restored or copied. No file contains content or names of accounts.
struct SharedStore: Sendable {
    /// The path of the directory.
    let directory: String

    /// The device's secrets, which are read once; `nil` can't recognize a lost file.
    let secrets: (any DeviceSecretsStore)?

    private let mostPrivateDisplay: NotificationDisplay
    private let time: any TimeSource

    /// Gives a file the platform's attributes, and creates it if it's missing.
    private let create: @Sendable (_ path: String) -> Void

    /// A Boolean value that indicates whether the caller holds the lock.
    private var isLocked = false

    /// Names the files without opening them.
    init(
        directory: String, secrets: (any DeviceSecretsStore)? = nil,
        mostPrivateDisplay: NotificationDisplay = .nothing,
        time: any TimeSource = SystemTime(),
        create: @escaping @Sendable (_ path: String) -> Void = { _ in }
    ) {
        self.directory = directory
        self.secrets = secrets.map { CachedSecretsStore.reading($0) }
        self.mostPrivateDisplay = mostPrivateDisplay
        self.time = time
        self.create = create
    }

    // MARK: The lock

    /// Calls a closure with the store while no other thread or process uses it.
    ///
    /// - Throws: ``PushCryptError`` with `lockTimeout`, `fileNotFound` if the directory is missing,
    ///   `insecureFile` or `fileSystemError`, or the error of the closure.
    func locked<Result>(_ body: (SharedStore) throws(PushCryptError) -> Result)
        throws(PushCryptError) -> Result
    {
        let path = path("lock")
        create(path)
        var store = self
        store.isLocked = true
        return try FileLock(path).withLock { () throws(PushCryptError) in try body(store) }
    }

    private var lock: RecordFile.Lock { isLocked ? .held : .file(FileLock(path("lock"))) }

    /// Reads the secrets, which may block, so that later accesses find them.
    func readSecrets() { _ = try? secrets?.read() }

    func epoch() throws(PushCryptError) -> StoreEpoch? { try secrets?.read()?.epoch }

    var now: Date { time.now }

    // MARK: The files

    private func path(_ name: String) -> String { directory + "/pushcrypt." + name }

    /// Returns the path of a file, after giving it the platform's attributes.
    private func prepared(_ name: String) -> String {
        let path = path(name)
        create(path)
        return path
    }

    /// The replay guard of displayed notifications.
    var replayGuard: FileReplayGuard { replayGuard(named: "ids") }

    /// The replay guard of pushes that the app opens itself, such as background pushes.
    var backgroundGuard: FileReplayGuard { replayGuard(named: "background") }

    private func replayGuard(named name: String) -> FileReplayGuard {
        var replayGuard = FileReplayGuard(path: path(name), secrets: secrets, lock: lock)
        replayGuard.create = create
        return replayGuard
    }

    /// The log of the last notifications.
    var deliveryLog: DeliveryLog {
        DeliveryLog(path: prepared("outcomes"), secrets: secrets, lock: lock, time: time)
    }

    /// The keys of removed accounts.
    var removedKeys: RemovedKeys { RemovedKeys(path: prepared("removed"), lock: lock) }

    /// The visible challenges that the extension has opened.
    var challenges: StoredChallenges { StoredChallenges(path: prepared("challenges"), lock: lock) }

    private var ledger: LedgerFile { LedgerFile(prepared("ledger"), lock: lock) }

    private var displayChoice: DisplayChoice { DisplayChoice(path: path("display")) }

    /// Calls a closure with the ledger, and writes the entries that it changes.
    func withLedger<Result>(
        _ body: (inout Ledger, LedgerHash) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        // Before the file changes: unreadable secrets aren't missing ones.
        let epoch = try epoch()
        return try ledger.withLedger(under: epoch, now: now.millisecondsSince1970, body)
    }

    // MARK: The choice of display

    /// The part of opened notifications to display; ``NotificationDisplay/full`` if the app has
    /// never set it.
    ///
    /// If the file was lost, or carries another epoch than the device's secrets, it's the most
    /// private choice that the app names. If the file can't be read, it's
    /// ``NotificationDisplay/nothing``, because the user may have chosen less.
    var display: NotificationDisplay {
        do throws(PushCryptError) {
            let epoch = try epoch()
            guard let stored = try displayChoice.read() else {
                return epoch == nil ? .full : mostPrivateDisplay
            }
            return stored.epoch == epoch ? stored.display : mostPrivateDisplay
        } catch {
            return .nothing
        }
    }

    /// Sets the part of opened notifications to display, from the next one on.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound` if the directory is missing,
    ///   `insecureFile`, `lockTimeout` or `fileSystemError`; or `keyUnreadable`, `deviceLocked` or
    ///   `missingEntitlement` if the secrets can't be read.
    func setDisplay(_ display: NotificationDisplay) throws(PushCryptError) {
        try setDisplay(display, under: epoch())
    }

    private func setDisplay(_ display: NotificationDisplay, under epoch: StoreEpoch?)
        throws(PushCryptError)
    {
        try displayChoice.write(display, under: epoch)
        create(displayChoice.path)
    }

    /// The stored choice under any epoch, because the settings of an app come with a restored file.
    ///
    /// Without the file, the app is new, or was installed again, and the user hasn't chosen yet.
    private var keptDisplay: NotificationDisplay {
        do throws(PushCryptError) {
            return try displayChoice.read()?.display ?? .full
        } catch {
            return mostPrivateDisplay
        }
    }

    // MARK: Preparation

    /// Creates the secrets if they are missing, and gives each file their epoch, when the app
    /// starts.
    ///
    /// Only the app calls it. A file without the epoch begins now, unless the secrets are new too.
    ///
    /// - Parameters:
    ///   - accounts: The names of the accounts.
    ///   - display: The user's choice of display; `nil` keeps the stored one.
    /// - Throws: ``PushCryptError`` with `deviceLocked`, `missingEntitlement` or `keyUnreadable` if
    ///   the secrets can't be used now, or an error of a file. Files that weren't prepared begin
    ///   when they are first used.
    func prepare(
        accounts: [String] = [""], display: NotificationDisplay? = nil
    ) throws(PushCryptError) {
        let display = display ?? keptDisplay
        guard let secrets else { return try setDisplay(display, under: nil) }
        let found = try secrets.readOrCreate()
        for name in ["lock", "outcomes", "removed", "challenges"] { _ = prepared(name) }
        // First the choice of display, because the other files can't show more than it allows.
        try setDisplay(display, under: found.secrets.epoch)
        try ledger.prepare(found, now: now.millisecondsSince1970)
        for replayGuard in [replayGuard, backgroundGuard] {
            for account in accounts { try replayGuard.prepare(account: account, found, now: now) }
        }
    }
}
