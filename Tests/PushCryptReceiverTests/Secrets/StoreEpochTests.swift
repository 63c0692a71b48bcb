import Foundation
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Stores that were deleted, restored or copied while the device's secrets stayed.
@Suite struct StoreEpochTests {
    private let scratch: Scratch
    private let clock = TestClock(.example)
    private let secrets = InMemorySecretsStore()

    init() throws { scratch = try Scratch() }

    private var store: SharedStore {
        SharedStore(directory: scratch.path, secrets: secrets, time: clock)
    }

    /// A message that was issued some seconds after the start, to a key of another time.
    private func message(
        _ number: Int, at seconds: TimeInterval, keyCreated: TimeInterval? = nil,
        account: String = ""
    ) throws -> GuardedMessage {
        let created = keyCreated.map { Date.example + $0 }
        return GuardedMessage(
            id: try GuardFile.id(number), account: account, issuedAt: .example + seconds,
            expiration: .example + seconds + 86_400, keyCreation: { created })
    }

    private func code(_ message: GuardedMessage, _ replayGuard: FileReplayGuard? = nil)
        -> PushCryptError.Code?
    {
        errorCode { _ = try (replayGuard ?? store.replayGuard).admit(message, now: clock.now) }
    }

    private func removeStores() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            try FileManager.default.removeItem(atPath: scratch.file(name))
        }
    }

    // MARK: Replay guards

    @Test(
        "A first push after a fresh install opens, whatever the sender's clock",
        arguments: [-40_000.0, 0, 40_000])
    func firstPushAfterAFreshInstallOpens(lead: TimeInterval) throws {
        try store.prepare(display: .full)
        #expect(try code(message(1, at: lead)) == nil)
    }

    @Test("After the files are lost, only later messages open", arguments: ["app", "extension"])
    func afterALossOnlyLaterMessagesOpen(first: String) throws {
        try store.prepare(display: .full)
        #expect(try code(message(1, at: 0)) == nil)
        clock.advance(by: 100)
        try removeStores()
        if first == "app" { try store.prepare(display: .full) }
        #expect(try code(message(1, at: 0)) == .possiblyReplayed)
        #expect(try code(message(2, at: 100)) == .possiblyReplayed)
        clock.advance(by: 1)
        #expect(try code(message(3, at: 100.001)) == nil)
        #expect(try code(message(3, at: 100.001)) == nil, "It's repeated.")
    }

    @Test("Each account's guard and the background guard notice a loss", arguments: ["", "shop"])
    func eachGuardNoticesALoss(account: String) throws {
        try store.prepare(accounts: ["", "shop"], display: .full)
        for replayGuard in [store.replayGuard, store.backgroundGuard] {
            #expect(try code(message(1, at: 0, account: account), replayGuard) == nil)
        }
        clock.advance(by: 100)
        try removeStores()
        for replayGuard in [store.replayGuard, store.backgroundGuard] {
            #expect(try code(message(1, at: 0, account: account), replayGuard) == .possiblyReplayed)
        }
    }

    @Test("A file of another device begins now") func fileOfAnotherDeviceBeginsNow() throws {
        let other = SharedStore(
            directory: scratch.path, secrets: InMemorySecretsStore(), time: clock)
        try other.prepare(display: .full)
        #expect(try code(message(1, at: 0), other.replayGuard) == nil)
        clock.advance(by: 100)
        try store.prepare(display: .full)
        #expect(try code(message(2, at: 50)) == .possiblyReplayed)
        #expect(try code(message(1, at: 0)) == nil, "The IDs stay, and this one is repeated.")
    }

    @Test(
        "A newer key's messages open at once, even in the second of the loss",
        arguments: [100.0, 100.9, 150])
    func newerKeysMessagesOpen(keyCreated: TimeInterval) throws {
        try store.prepare(display: .full)
        clock.advance(by: 100.9)
        try removeStores()
        try store.prepare(display: .full)
        // The sender's clock is behind.
        #expect(try code(message(1, at: 20, keyCreated: keyCreated)) == nil)
        #expect(try code(message(2, at: 20, keyCreated: 99.9)) == .possiblyReplayed)
        #expect(try code(message(3, at: 20)) == .possiblyReplayed)
    }

    @Test("A copy of the header whose epoch is damaged doesn't count", arguments: [0, 1])
    func damagedCopy(_ copy: Int) throws {
        try store.prepare(display: .full)
        clock.advance(by: 100)
        var bytes = try #require(scratch.contents(of: "pushcrypt.ids"))
        let epoch = 8 + 40 * copy
        bytes[epoch] ^= 1
        let start = (Date.example + 100).millisecondsSince1970
        for index in 0..<8 {
            bytes[epoch + 16 + index] = UInt8(truncatingIfNeeded: start >> (56 - 8 * index))
        }
        scratch.write(bytes, to: "pushcrypt.ids")
        #expect(try code(message(1, at: 50)) == nil)
    }

    @Test("A newer key doesn't excuse what the file itself has forgotten")
    func newerKeyDoesNotExcuseForgottenIDs()
        throws
    {
        try store.prepare(display: .full)
        clock.advance(by: 10)
        let replayGuard = FileReplayGuard(
            path: scratch.file("small"), capacity: 2, secrets: secrets)
        #expect(try code(message(0, at: 0, keyCreated: 0), replayGuard) == .possiblyReplayed)
        clock.advance(by: 10)
        for number in 1...3 {
            #expect(
                try code(message(number, at: 10 + Double(number), keyCreated: 0), replayGuard)
                    == nil)
        }
        #expect(try code(message(1, at: 11, keyCreated: 1000), replayGuard) == .possiblyReplayed)
    }

    @Test("A beginning in the future is corrected when the app starts")
    func beginningInTheFutureIsCorrected() throws {
        try store.prepare(display: .full)
        clock.advance(by: 1_000_000)
        try removeStores()
        try store.prepare(display: .full)
        // The clock was wrong.
        clock.advance(by: -900_000)
        #expect(try code(message(1, at: 100_001)) == .possiblyReplayed)
        try store.prepare(display: .full)
        #expect(try code(message(1, at: 100_001)) == nil)
    }

    @Test("Unreadable secrets aren't missing ones") func unreadableSecretsAreNotMissing() throws {
        struct Locked: DeviceSecretsStore {
            func secrets() throws -> DeviceSecrets? { throw PushCryptError(.deviceLocked, "") }
            func create(_ secrets: DeviceSecrets) throws -> DeviceSecrets {
                throw PushCryptError(.deviceLocked, "")
            }
        }
        try store.prepare(display: .full)
        #expect(try code(message(1, at: 0)) == nil)
        let before = scratch.contents(of: "pushcrypt.ids")
        let locked = SharedStore(directory: scratch.path, secrets: Locked(), time: clock)
        #expect(try code(message(2, at: 0), locked.replayGuard) == .deviceLocked)
        #expect(locked.display == .nothing)
        #expect(throws: PushCryptError(.deviceLocked, "")) { try locked.prepare(display: .full) }
        #expect(scratch.contents(of: "pushcrypt.ids") == before)
        // The message wasn't used up.
        #expect(try store.replayGuard.admit(message(2, at: 0), now: clock.now) == .new)
    }

    @Test("An extension creates no secrets, and works without them")
    func extensionCreatesNoSecrets() throws {
        #expect(try code(message(1, at: 0)) == nil)
        #expect(store.display == .full)
        #expect(secrets.secrets() == nil)
        // What it has recorded stays when the app starts for the first time.
        clock.advance(by: 4000)
        try store.prepare(display: .full)
        #expect(try code(message(1, at: 0)) == .replayed)
        #expect(try code(message(2, at: 0)) == nil)
    }

    @Test("One damaged copy of the header changes nothing") func damagedHeaderChangesNothing()
        throws
    {
        try store.prepare(display: .full)
        #expect(try code(message(1, at: 0)) == nil)
        let whole = try #require(scratch.contents(of: "pushcrypt.ids"))
        clock.advance(by: 4000)
        for place in 8..<(8 + 2 * GuardFile.recordLength) {
            var bytes = whole
            bytes[place] ^= 0x80
            scratch.write(bytes, to: "pushcrypt.ids")
            #expect(try code(message(1, at: 0)) == .replayed, "\(place)")
            #expect(try code(message(2, at: 0)) == nil, "\(place)")
        }
    }

    @Test("A kill while the file begins leaves no file without its beginning", arguments: 0...2)
    func killWhileTheFileBegins(written: Int) throws {
        try store.prepare(display: .full)
        clock.advance(by: 100)
        try removeStores()
        try store.prepare(display: .full)
        let whole = try #require(scratch.contents(of: "pushcrypt.ids"))
        scratch.write(
            Array(whole.prefix(8 + written * GuardFile.recordLength)), to: "pushcrypt.ids")
        #expect(try code(message(1, at: 50)) == .possiblyReplayed)
    }

    // MARK: Withdrawals and the choice of display

    @Test(
        "After the list of withdrawals is lost, an earlier message isn't displayed, unless its key is newer"
    )
    func lostWithdrawals() throws {
        try store.prepare(display: .full)
        clock.advance(by: 100)
        try removeStores()
        try store.prepare(display: .full)
        let entry = { (issuedAt: TimeInterval) in
            Ledger.Entry(
                account: [1], target: [2],
                issuedAt: (Date.example + issuedAt).millisecondsSince1970, end: .max)
        }
        let file = LedgerFile(scratch.file("pushcrypt.ledger"))
        let epoch = try #require(secrets.secrets()).epoch
        let now = clock.now.millisecondsSince1970
        try file.withLedger(under: epoch, now: now) { (ledger, _) throws(PushCryptError) in
            #expect(ledger.show(entry(99), now: now) == .possiblyWithdrawn)
            #expect(
                ledger.show(entry(99), Ledger.Arrival(isKeyNewer: { true }), now: now)
                    == .shown(doubles: []))
            #expect(ledger.show(entry(101), now: now) == .shown(doubles: []))
        }
    }

    @Test("A lost choice of display is the most private one, until the app sets it again")
    func lostChoiceOfDisplay() throws {
        let store = SharedStore(
            directory: scratch.path, secrets: secrets, mostPrivateDisplay: .titleOnly, time: clock)
        try store.prepare(display: .full)
        #expect(store.display == .full)
        let old = scratch.contents(of: "pushcrypt.display") ?? []
        try FileManager.default.removeItem(atPath: scratch.file("pushcrypt.display"))
        #expect(store.display == .titleOnly)
        #expect(self.store.display == .nothing)
        // Another device's file.
        let other = SharedStore(
            directory: try Scratch().path, secrets: InMemorySecretsStore(), time: clock)
        _ = try? other.prepare(display: .full)
        scratch.write(Array("AAAAAAAAAAAAAAAAAAAAAA full".utf8), to: "pushcrypt.display")
        #expect(store.display == .titleOnly)
        // The secrets are gone, and a choice was made with them.
        scratch.write(old, to: "pushcrypt.display")
        let withoutSecrets = SharedStore(
            directory: scratch.path, secrets: InMemorySecretsStore(),
            mostPrivateDisplay: .titleOnly, time: clock)
        #expect(withoutSecrets.display == .titleOnly)
        scratch.write(Array("damaged".utf8), to: "pushcrypt.display")
        #expect(store.display == .nothing)
        scratch.write(old, to: "pushcrypt.display")
        #expect(store.display == .full)
        try FileManager.default.removeItem(atPath: scratch.file("pushcrypt.display"))
        try store.prepare(display: .full)
        #expect(store.display == .full)
    }
}
