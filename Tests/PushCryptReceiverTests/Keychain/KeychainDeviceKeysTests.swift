import Dispatch
import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The lifetime of a device's keys in a keychain.
@Suite struct KeychainDeviceKeysTests {
    let fixture = KeychainFixture()
    let time = TestClock()

    @Test("Keys are created, confirmed and rotated in the keychain")
    func keysAreCreatedConfirmedAndRotatedInTheKeychain() throws {
        let keys = fixture.device(time: time, rotationAge: 86_400)
        let (start, first, _) = try keys.prepare()
        #expect(start == .created)
        try keys.confirm(first, serverTime: time.now)
        let adds = fixture.keychain.count(of: .add)
        time.advance(by: 86_400)
        let second = try keys.prepare().registration
        #expect(second.key != first.key && second.generation > first.generation)
        try keys.confirm(second, serverTime: time.now)
        #expect(try fixture.stored.primary.key.publicKey == second.key)
        // The extension opens messages to both keys.
        for key in [first.key, second.key] {
            let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: key)
            fixture.keychain.device = .locked
            _ = try Opener(keys: fixture.otherStore, senderPolicy: .anyone).open(json: push.payload)
        }
        try keys.followGeneration(40, rejecting: second)
        #expect(try keys.registration().generation == 41)
        let third = try keys.renew()
        #expect(try fixture.stored.pending.map(\.key.publicKey) == [third.key])
        #expect(fixture.keychain.count(of: .add) == adds && fixture.keychain.items.count == 1)
    }

    @Test("Keys of a newer version open, and no registration changes them") func newerVersion()
        throws
    {
        let keys = fixture.device(time: time)
        let first = try keys.prepare().registration
        let text = try fixture.stored.state.replacingOccurrences(
            of: #""created""#, with: #""secret":"s","created""#)
        fixture.put(try KeychainFixture.secret(text))
        time.advance(by: 86_400)
        #expect(thrownError { try keys.prepare() }?.code == .newerFormat)
        #expect(try #require(fixture.bytes) == Array(text.utf8))
        #expect(try fixture.store.recipientKey(first.key.keyID).publicKey == first.key)
    }

    @Test("A start after signing out creates a new key") func startAfterSigningOutCreatesANewKey()
        throws
    {
        let first = try fixture.device(time: time).prepare().registration
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first.key)
        try fixture.store.deleteKeyring()
        let opener = Opener(keys: fixture.otherStore, senderPolicy: .anyone)
        #expect(thrownError { try opener.open(json: push.payload) }?.code == .unknownKey)
        let (start, second, _) = try fixture.device(time: time).prepare()
        #expect(start == .created && second.key != first.key)
    }

    @Test("A repeated change counts once") func repeatedChangeCountsOnce() throws {
        let keys = fixture.device(time: time)
        _ = try keys.prepare()
        let pending = try keys.renew()
        let other = fixture.device(fixture.otherStore, time: time)
        // The other process confirms the key first.
        fixture.keychain.beforeNext(.update) { try? other.confirm(pending) }
        try keys.confirm(pending)
        #expect(try fixture.stored.primary.key.publicKey == pending.key)
        #expect(try fixture.stored.keys.count == 2)
        let generation = try fixture.stored.generation
        fixture.keychain.beforeNext(.update) {
            try? other.followGeneration(generation + 5, rejecting: pending)
        }
        _ = try keys.renew()
        #expect(try fixture.stored.generation == generation + 8)
        #expect(try fixture.stored.pending.count == 1)
    }

    /// The observations of all threads.
    private struct Seen: Sendable {
        var made = 0
        var keys: Set<KeyID> = []
        var failures: [String] = []
    }

    @Test("Concurrent processes create one key and lose no change")
    func concurrentProcessesCreateOneKeyAndLoseNoChange() throws {
        let seen = LockedValue(Seen())
        let group = KeychainFixture.group
        inThreads(8) {
            // Each thread acts as a process that shares only the keychain.
            let store = KeychainStore(fixture.other, accessGroup: group)
            let keys = fixture.device(store, time: time)
            do {
                let (start, registration, _) = try keys.prepare()
                if start == .created { seen.withLock { $0.made += 1 } }
                seen.withLock { _ = $0.keys.insert(registration.key.keyID) }
                for _ in 0..<4 {
                    try store.update { (ring) throws(PushCryptError) in
                        try ring?.rotate(at: time.now)
                        // Other threads get time in between.
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    for id in seen.withLock({ $0.keys }) { _ = try store.recipientKey(id) }
                }
            } catch {
                seen.withLock { $0.failures.append("\(error)") }
            }
        }
        let result = seen.withLock { $0 }
        #expect(result.failures == [] && result.made == 1)
        let ring = try fixture.stored
        #expect(ring.generation == 33 && Set(ring.keys.map(\.publicKey.keyID)).count == 33)
        #expect(result.keys.isSubset(of: ring.keys.map(\.publicKey.keyID)))
        #expect(fixture.keychain.items.count == 1)
    }

    /// Runs a closure on new threads, and waits for them.
    private func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            let thread = Thread {
                body()
                group.leave()
            }
            thread.start()
        }
        group.wait()
    }
}
