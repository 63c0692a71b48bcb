import Foundation
import PushCryptKeyring
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// The history of a device with two accounts, of their server, of an attacker who replays, and of a
/// thief of old keys.
///
/// The device's keys, its stores and the server's record are the real ones. The history contains
/// what a user, a backup or an attacker does to them.
struct DeviceHistory {
    enum Step: String, CaseIterable {
        case launch, delete, backup, restore, clone, renew, pushOne, pushTwo, copyFirst, copyLast,
            signOut, thief
    }

    /// A rule that a history leaves out, to show that it's needed.
    enum Rule: CaseIterable {
        case epoch, newerKeys, eachAccount, newKeyAfterStaleAnswer, formerKeys
    }

    struct Wrong: Error {
        let what: String
    }

    private struct Message {
        let account: String
        let payload: [UInt8]
        var isOpened = false
    }

    /// The keychain of a device, whose items survive the deletion of the app.
    private struct KeychainItems {
        var secrets: DeviceSecrets?
        var keyrings: [String: DeviceKeyring] = [:]
    }

    private static let accounts = ["one", "two"]

    private let scratch: Scratch
    private let missing: Rule?
    private var now: TimeInterval = 0
    private var device = 1
    private var installation = 1
    private var isInstalled = false
    /// A Boolean value that indicates whether the app has run since the last change of the device.
    private var isReady = false
    /// A Boolean value that indicates whether the files were lost since the last launch.
    private var hasLostFiles = false
    /// The time of the launch after the files were lost.
    private var lostAt: TimeInterval?
    private var signedIn = Set(Self.accounts)
    private var files: [String: [UInt8]] = [:]
    private var keychain = KeychainItems()
    private var snapshot: KeychainItems?
    private var rows: [String: Recipient] = [:]
    private var messages: [Message] = []
    /// The keys that may have leaked, before a renewal that the server has confirmed.
    private var leaked: Set<RecipientPublicKey> = []
    /// The keys that the server has ever accepted.
    private var accepted: Set<RecipientPublicKey> = []
    private(set) var path: [Step] = []

    init(without missing: Rule? = nil) throws {
        scratch = try Scratch()
        self.missing = missing
        try launch()
    }

    private var clock: TestClock { TestClock(.example + now) }

    /// The steps that can change something.
    var steps: [Step] {
        Step.allCases.filter { step in
            switch step {
            case .launch: !isReady
            case .delete: isInstalled
            case .backup: path.last != .backup
            case .restore: snapshot != nil
            case .clone: isInstalled
            case .renew: isReady
            case .pushOne: true
            case .pushTwo: signedIn.contains("two")
            case .copyFirst: !messages.isEmpty
            case .copyLast: messages.count > 1
            case .signOut: isReady && signedIn.contains("two")
            case .thief: !leaked.isEmpty
            }
        }
    }

    mutating func take(_ step: Step) throws {
        // Beyond the hour in which a copy counts as an honest double.
        now += 4000
        path.append(step)
        switch step {
        case .launch: try launch()
        case .delete: (isInstalled, isReady, files, hasLostFiles) = (false, false, [:], true)
        case .backup: snapshot = keychain
        case .restore:
            // The keychain comes back on the same device. The shared files are excluded from the
            // backup. The registrar's file stays, so that this isn't a reinstallation.
            keychain = snapshot ?? keychain
            (isInstalled, isReady, files, hasLostFiles) = (true, false, [:], true)
        case .clone:
            // Another device: the items of the keychain don't migrate, and a program has copied the
            // files.
            (device, keychain, snapshot, isReady) = (device + 1, KeychainItems(), nil, false)
        case .renew: try renew()
        case .pushOne: try push("one")
        case .pushTwo: try push("two")
        case .copyFirst: try deliver(0)
        case .copyLast: try deliver(messages.count - 1)
        case .signOut: signOut()
        case .thief: try steal()
        }
    }

    // MARK: The app

    private func keys(_ store: TestKeyringStore) -> DeviceKeys {
        DeviceKeys(
            store: store,
            installation: Installation(deviceID: "\(device)", installationID: "\(installation)"),
            time: clock)
    }

    private mutating func launch() throws {
        if !isInstalled { installation += 1 }
        isInstalled = true
        if hasLostFiles { lostAt = now }
        hasLostFiles = false
        let accounts = missing == .eachAccount ? ["one"] : Self.accounts.filter(signedIn.contains)
        try withStore { store in
            try store.prepare(accounts: accounts, display: .full)
        }
        now += 1
        for account in Self.accounts where signedIn.contains(account) { try register(account) }
        isReady = true
    }

    private mutating func register(_ account: String, isRenewal: Bool = false) throws {
        let store = TestKeyringStore(keychain.keyrings[account])
        let keys = keys(store)
        _ = try keys.prepare()
        if isRenewal { _ = try keys.renew() }
        var registration = try keys.registration()
        if let stale = try send(registration, account) {
            if missing == .newKeyAfterStaleAnswer {
                // The number alone, as an old backup's key would be registered again.
                registration = Registration(
                    key: registration.key, generation: stale + 1, created: registration.created,
                    lifetime: UInt64(registration.lifetime))
            } else {
                try keys.followGeneration(stale, rejecting: registration)
                registration = try keys.registration()
            }
            guard try send(registration, account) == nil else {
                throw Wrong(what: "the device can't register")
            }
        }
        try keys.confirm(registration, serverTime: clock.now)
        keychain.keyrings[account] = store.stored
    }

    private mutating func renew() throws {
        let before = keychain.keyrings["one"]?.keys.map(\.publicKey) ?? []
        try register("one", isRenewal: true)
        leaked.formUnion(before)
    }

    private mutating func signOut() {
        signedIn.remove("two")
        rows["two"] = nil
        keychain.keyrings["two"] = nil
    }

    // MARK: The server

    /// Returns the generation of a stale answer; `nil` if the server has stored the registration.
    private mutating func send(_ registration: Registration, _ account: String) throws -> UInt64? {
        var stored = rows[account]
        if missing == .formerKeys, let row = stored {
            stored = try Recipient(
                registration: row.registration, deviceToken: row.deviceToken, account: row.account,
                registered: row.registered)
        }
        do throws(PushCryptError) {
            rows[account] = try Recipient(
                registration: registration, deviceToken: String(repeating: "0a", count: 32),
                account: account,
                registered: clock.now, replacing: stored)
            accepted.insert(registration.key)
            return nil
        } catch {
            guard let generation = error.staleGeneration else { throw error }
            return generation
        }
    }

    /// A thief of the user's session registers keys that have leaked before the renewal.
    ///
    /// The server knows only those that it has accepted. Another one is like a key of the thief's
    /// own, which nothing prevents yet.
    private mutating func steal() throws {
        guard let row = rows["one"] else { return }
        for key in leaked.intersection(accepted) {
            _ = try send(
                Registration(
                    key: key, generation: row.registration.generation + 1, created: clock.now,
                    lifetime: UInt64(row.registration.lifetime)), "one")
        }
        isReady = false
    }

    private mutating func push(_ account: String) throws {
        guard let row = rows[account] else { return }
        guard !leaked.contains(row.key) else {
            throw Wrong(what: "a push is sealed to a key from before renew")
        }
        // The server's clock is behind by more than the time since the launch.
        let sealer = Sealer(.anonymous, time: TestClock(.example + now - 5000))
        let json = #"{"aps":{"alert":"\#(messages.count)"}}"#
        messages.append(
            Message(
                account: account, payload: try sealer.seal(json: json.utf8, for: row.key).payload))
        try deliver(messages.count - 1)
        // With an older key, it was issued before the loss by the server's clock.
        let isOldKey = lostAt.map { row.registration.created < .example + $0 } ?? false
        guard messages.last?.isOpened == true || !isReady || isOldKey else {
            throw Wrong(what: "a new push doesn't open")
        }
    }

    // MARK: The extension

    private mutating func deliver(_ number: Int) throws {
        guard isInstalled else { return }
        let message = messages[number]
        let accounts = Self.accounts.filter(signedIn.contains).map { account in
            PushAccount(
                account, keys: TestKeyringStore(keychain.keyrings[account]), senderPolicy: .anyone)
        }
        let (missing, clock, path) = (missing, clock, scratch.file("without-epoch"))
        let push = try withStore { store in
            let replayGuard = missing == .epoch ? FileReplayGuard(path: path) : store.replayGuard
            let opener = Opener(
                accounts: missing == .newerKeys ? accounts.map(\.withoutDates) : accounts,
                replayGuard: replayGuard,
                time: clock)
            return try? opener.open(json: message.payload)
        }
        guard let push, push.replayGuardFailure == nil else { return }
        guard !message.isOpened else { throw Wrong(what: "a message opens twice") }
        messages[number].isOpened = true
    }

    // MARK: The files

    /// Runs a step with the device's files and secrets, and keeps what it leaves.
    private mutating func withStore<Result>(_ body: (SharedStore) throws -> Result) throws -> Result
    {
        let secrets = InMemorySecretsStore()
        if let stored = keychain.secrets { _ = secrets.create(stored) }
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            try FileManager.default.removeItem(atPath: scratch.file(name))
        }
        for (name, bytes) in files { scratch.write(bytes, to: name) }
        let result = try body(SharedStore(directory: scratch.path, secrets: secrets, time: clock))
        files = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            files[name] = scratch.contents(of: name)
        }
        keychain.secrets = secrets.secrets()
        return result
    }
}

extension PushAccount {
    /// The account with a store that doesn't know when its keys were created.
    fileprivate var withoutDates: PushAccount {
        struct Store: KeyStore {
            let keys: any KeyStore
            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
                try keys.recipientKey(id)
            }
            func signerLists() throws -> [String] { try keys.signerLists() }
        }
        return PushAccount(name, keys: Store(keys: keys), senderPolicy: senderPolicy)
    }
}
