import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The store of an app and its extension, used at once by threads that share only the file.
@Suite(.thorough) struct ConcurrentDeviceKeysTests {
    /// The observations of all threads.
    private struct Seen: Sendable {
        var starts: [KeyPreparation] = []
        var keys: Set<KeyID> = []
        var promoted: Set<KeyID> = []
        var failures: [String] = []
    }

    private let threads = 4

    /// Starts, registers, confirms and opens repeatedly from several threads.
    private func run(_ store: @escaping @Sendable () -> any KeyringStore, rounds: Int) throws {
        let seen = LockedValue(Seen())
        let time = TestClock()
        DispatchQueue.concurrentPerform(iterations: threads) { number in
            // Each key is old at the next start.
            let keys = DeviceKeys(
                store: store(), installation: Installation(deviceID: "a", installationID: "b"),
                rotationAge: 3600,
                time: time)
            do {
                for round in 0..<rounds {
                    time.advance(by: 3600)
                    let (start, registration, _) = try keys.prepare()
                    seen.withLock {
                        $0.starts.append(start)
                        $0.keys.insert(registration.key.keyID)
                    }
                    if (round + number).isMultiple(of: 2) {
                        try keys.confirm(
                            registration, serverTime: round.isMultiple(of: 3) ? nil : time.now)
                        seen.withLock { _ = $0.promoted.insert(registration.key.keyID) }
                    }
                    // Messages to each registered key open.
                    for id in seen.withLock({ $0.keys }) {
                        _ = try keys.store.recipientKey(id)
                    }
                }
            } catch {
                seen.withLock { $0.failures.append("\(error)") }
            }
        }
        let result = seen.withLock { $0 }
        #expect(result.failures == [])
        #expect(result.starts.count { $0 == .created } == 1, "The first key is created once.")
        let ring = try #require(try store().keyring())
        let ids = ring.keys.map(\.publicKey.keyID)
        #expect(Set(ids).count == ids.count)
        #expect(result.keys.isSubset(of: ids), "No key is lost.")
        #expect(ring.pending.count <= 1)
        #expect(
            Set([ring.primary.key.publicKey.keyID] + ring.retired.map(\.key.publicKey.keyID)).count
                > 2)
        #expect(Set(ring.pending.map(\.key.publicKey.keyID)).isDisjoint(with: result.promoted))
    }

    @Test("Processes that share a file lose no key") func processesThatShareAFileLoseNoKey() throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("keyring.jwks").path
        try run({ KeyringFileStore(path: path) }, rounds: LongRun.count(4, full: 12))
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(
            text.components(separatedBy: #""state":"primary""#).count == 2,
            "There is one primary key.")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                == ["keyring.jwks", "keyring.jwks.lock"])
    }

    @Test("Threads that share a test store lose no key") func threadsThatShareATestStoreLoseNoKey()
        throws
    {
        let store = TestKeyringStore()
        try run({ store }, rounds: LongRun.count(12, full: 40))
    }
}
