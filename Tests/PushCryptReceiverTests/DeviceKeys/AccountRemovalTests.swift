import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// An account that the user signs out of, next to one that stays.
@Suite struct AccountRemovalTests {
    private let scratch: Scratch
    private let time = TestClock()
    private let server: RegistrationServer
    private let removedKeys: RemovedKeys
    private let fallback = FallbackText("New message", removedAccount: "You have signed out.")

    init() throws {
        scratch = try Scratch()
        server = RegistrationServer(time: time)
        removedKeys = RemovedKeys(path: scratch.file("pushcrypt.removed"))
    }

    private func registrar(_ name: String, _ store: any KeyringStore) throws -> DeviceRegistrar {
        let directory = scratch.file(name)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return DeviceRegistrar(
            store: store, deviceID: "device", directory: directory, account: name,
            senderPolicy: .anyone, time: time)
    }

    /// Registers a device's key, and returns it.
    private func register(_ registrar: DeviceRegistrar, token: UInt8 = 1) async throws
        -> RecipientPublicKey
    {
        try await registrar.register(DeviceToken([UInt8](repeating: token, count: 32))) {
            [server] in
            try await server.register($0)
        }
        return try registrar.keys().registration().key
    }

    /// Returns what a notification to a key displays.
    private func shown(_ key: RecipientPublicKey, _ stores: [any KeyStore]) throws -> (
        body: String, code: String?
    ) {
        let accounts = stores.enumerated().map {
            PushAccount("\($0)", keys: $1, senderPolicy: .anyone)
        }
        var configuration = PushConfiguration(accounts: accounts)
        configuration.fallback = fallback
        configuration.directory = scratch.path
        let push = try Sealer(.anonymous, time: time).seal(
            json: #"{"aps":{"alert":"text"}}"#.utf8, for: key)
        let result = PushInbox(configuration, clock: time).open(
            try DeliveredNotification(json: push.payload))
        return (result.content.body, result.outcome.failure?.code.rawValue)
    }

    /// The kinds of stores, by name.
    private func store(_ kind: String, _ name: String) -> any KeyringStore {
        switch kind {
        case "file": KeyringFileStore(path: scratch.file("\(name).jwks"))
        case "keychain": KeychainStore(keychain, accessGroup: KeychainFixture.group, account: name)
        default: TestKeyringStore()
        }
    }
    private let keychain = TestKeychain(accessGroups: [KeychainFixture.group])

    @Test("A removed key is known until its last push has expired") func lastMoment() throws {
        let ids = try (0..<2).map { _ in try RecipientPrivateKey().publicKey.keyID }
        try removedKeys.add([ids[0]], at: time.now)
        time.advance(by: 32 * 86_400)
        // Another key replaces only those that have expired.
        try removedKeys.add([ids[1]], at: time.now)
        #expect(ids.map { removedKeys.contains($0, at: time.now) } == [true, true])
        #expect(!removedKeys.contains(ids[0], at: time.now + 0.001))
    }

    @Test("Signing out while the server answers creates no keys again", arguments: [true, false])
    func signingOutMeanwhile(isChallenged: Bool) async throws {
        let store = TestKeyringStore()
        let registrar = try registrar("one", store)
        let requests = LockedValue(0)
        await #expect(throws: PushCryptError(.unknownKey, "")) {
            try await registrar.register(DeviceToken("token")) { [time] _ in
                requests.withLock { $0 += 1 }
                try registrar.removeAccount()
                return isChallenged ? .challenged(date: time.now) : .accepted(date: time.now)
            }
        }
        #expect(store.stored == nil && requests.withLock { $0 } == 1)
    }

    @Test(
        "Signing out of one account leaves the other alone",
        arguments: ["file", "keychain", "memory"])
    func signingOutLeavesTheOtherAlone(kind: String) async throws {
        let (old, other) = (store(kind, "old"), store(kind, "other"))
        let (oldRegistrar, otherRegistrar) = (
            try registrar("old", old), try registrar("other", other)
        )
        let (oldKey, otherKey) = (
            try await register(oldRegistrar), try await register(otherRegistrar, token: 2)
        )
        #expect(try shown(oldKey, [old, other]).body == "text")
        try oldRegistrar.removeAccount(recordingIn: removedKeys)
        #expect(try old.keyring() == nil)
        #expect(scratch.contents(of: "old/pushcrypt.device") == nil)
        // In the app's list of accounts or not.
        for stores in [[old, other], [other], []] as [[any KeyStore]] {
            let (body, code) = try shown(oldKey, stores)
            #expect(body == "You have signed out.")
            #expect(code == "removed-account")
        }
        #expect(try shown(otherKey, [old, other]).body == "text")
        #expect(scratch.contents(of: "other/pushcrypt.device") != nil)
        #expect(try shown(RecipientPrivateKey().publicKey, [other]).code == "unknown-key")
        // A second call changes nothing, and the user may sign in again.
        try oldRegistrar.removeAccount(recordingIn: removedKeys)
        let newKey = try await register(oldRegistrar)
        #expect(newKey != oldKey)
        #expect(try shown(newKey, [old, other]).body == "text")
        #expect(try shown(oldKey, [old, other]).code == "removed-account")
    }

    @Test("Removed keys are forgotten when no push to them can arrive")
    func removedKeysAreForgotten() async throws {
        let store = TestKeyringStore()
        let registrar = try registrar("old", store)
        let key = try await register(registrar)
        try registrar.removeAccount(recordingIn: removedKeys)
        time.advance(by: 32 * 86_400)
        #expect(try shown(key, [store]).code == "removed-account")
        time.advance(by: 1)
        let (body, code) = try shown(key, [store])
        #expect(body == "New message" && code == "unknown-key")
        // The record is used again.
        let length = try #require(scratch.contents(of: "pushcrypt.removed")).count
        try removedKeys.add(
            [KeyID](repeating: RecipientPrivateKey().publicKey.keyID, count: 1), at: time.now)
        #expect(scratch.contents(of: "pushcrypt.removed")?.count == length)
    }

    @Test("A full list forgets the keys that were removed first") func fullListForgetsTheFirst()
        throws
    {
        let ids = (0..<1003).map { number in
            let bytes =
                [UInt8(number / 256), UInt8(number % 256)]
                + [UInt8](repeating: 0, count: KeyID.length - 2)
            return KeyID(bytes.span, at: 0)
        }
        let now = time.now
        for part in [0..<3, 3..<1000] {
            try removedKeys.add(Array(ids[part]), at: now + Double(part.lowerBound))
        }
        try removedKeys.add(Array(ids[1000...]), at: now + 60)
        #expect(ids.filter { !removedKeys.contains($0, at: now + 60) } == Array(ids[..<3]))
        // An absurd clock is accepted.
        try removedKeys.add([ids[0]], at: .distantFuture + 1e300)
    }

    @Test("Keys that can't be read or deleted now stay", arguments: ["read", "delete"])
    func keysThatCantBeDeletedStay(fault: String) async throws {
        let store = TestKeyringStore()
        let registrar = try registrar("old", store)
        let key = try await register(registrar)
        let locked = PushCryptError(.deviceLocked, "Locked.")
        store.behavior = fault == "read" ? .unreadable(locked) : .unwritable(locked)
        #expect(
            errorCode { try registrar.removeAccount(recordingIn: removedKeys) } == .deviceLocked)
        store.behavior = .working
        // An interrupted removal hides no message.
        #expect(try shown(key, [store]).body == "text")
        #expect(scratch.contents(of: "old/pushcrypt.device") != nil)
        try registrar.removeAccount(recordingIn: removedKeys)
        #expect(try shown(key, [store]).code == "removed-account")
    }

    @Test("A list that can't be used hides no account", arguments: ["missing", "other type"])
    func listThatCantBeUsedHidesNoAccount(fault: String) async throws {
        let store = TestKeyringStore()
        let registrar = try registrar("old", store)
        _ = try await register(registrar)
        if fault != "missing" {
            scratch.write(Array("something else".utf8), to: "pushcrypt.removed")
        }
        let path = scratch.file(fault == "missing" ? "none/removed" : "pushcrypt.removed")
        let broken = RemovedKeys(path: path)
        #expect(errorCode { try registrar.removeAccount(recordingIn: broken) } == .keyUnreadable)
        #expect(store.stored != nil)
        #expect(!broken.contains(try RecipientPrivateKey().publicKey.keyID, at: time.now))
        try registrar.removeAccount(recordingIn: nil)
        #expect(store.stored == nil)
    }

    @Test("A fallback without a text for removed accounts displays its own")
    func fallbackWithoutATextForRemovedAccounts() {
        #expect(FallbackText("a").removedAccountBody == "a")
        #expect(FallbackText("").removedAccountBody == "(Encrypted)")
        #expect(FallbackText("a", removedAccount: "b").removedAccountBody == "b")
    }
}
