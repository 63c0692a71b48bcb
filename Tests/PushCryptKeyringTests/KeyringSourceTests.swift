import Dispatch
import Foundation
import PushCryptCore
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// A service gets new keys without a restart, and keeps the old ones if the new file is broken.
@Suite struct KeyringSourceTests {
    private let errors = LockedValue<[PushCryptError.Code]>([])
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func source(
        _ file: KeyringFile<SigningKey>, interval: Double = 0
    ) throws -> KeyringSource<SigningKey> {
        try KeyringSource(file, interval: interval) { [errors] error in
            errors.withLock { $0.append(error.code) }
        }
    }

    private var codes: [PushCryptError.Code] { errors.withLock { $0 } }

    @Test("A rotation is seen by the next call") func rotation() throws {
        let scratch = try Scratch()
        let file = KeyringFile<SigningKey>(path: scratch.file())
        let first = try file.createOrRotate(at: now)
        let source = try source(file)
        #expect(try source.primaryKey.publicKey == first.primary.key.publicKey)
        for round in 1...5 {
            let rotated = try file.createOrRotate(at: now + Double(round))
            #expect(try source.primaryKey.publicKey == rotated.primary.key.publicKey)
            #expect(try source.keyring.generation == rotated.generation)
        }
        #expect(codes.isEmpty)
    }

    @Test("Without a readable file there is no source") func noFile() throws {
        let scratch = try Scratch()
        #expect(errorCode { try source(KeyringFile(path: scratch.file())) } == .fileNotFound)
        scratch.write([1])
        #expect(errorCode { try source(KeyringFile(path: scratch.file())) } == .malformedJWK)
    }

    @Test("A broken, a half-written or a missing file keeps the old keys and is reported")
    func brokenFile() throws {
        let scratch = try Scratch()
        let file = KeyringFile<SigningKey>(path: scratch.file())
        let first = try file.createOrRotate(at: now).primary.key.publicKey
        let source = try source(file)
        let second = try file.createOrRotate(at: now + 1).primary.key.publicKey
        let whole = try #require(scratch.contents())
        #expect(try source.primaryKey.publicKey == second)

        scratch.write(Array(whole.prefix(whole.count / 2)))
        #expect(try source.primaryKey.publicKey == second)
        #expect(codes == [.malformedJWK])
        scratch.write(whole)
        #expect(try source.primaryKey.publicKey == second)
        #expect(codes == [.malformedJWK])

        try FileManager.default.removeItem(atPath: scratch.file())
        #expect(try source.primaryKey.publicKey == second)
        #expect(codes == [.malformedJWK, .fileNotFound])
        scratch.write(whole, mode: 0o644)
        #expect(try source.primaryKey.publicKey == second)
        #expect(codes == [.malformedJWK, .fileNotFound, .insecureFile])
        scratch.write(Array(RingText(keys: [RingText.entry(.sender(), "primary")]).text.utf8))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: scratch.file())
        let third = try source.primaryKey.publicKey
        #expect(third == (try TestKeys.sender().publicKey) && third != second && third != first)
        #expect(codes.count == 3)
    }

    @Test("The file is looked at once per interval, and later after an error") func interval()
        throws
    {
        let mount = try Mount()
        let first = try mount.update(Keyring(createdAt: now))
        let clock = LockedValue(DispatchTime.now())
        let source = try KeyringSource(
            mount.file, interval: 1, whenUnreadable: .keepKeys, now: { clock.withLock { $0 } }
        ) { [errors] error in
            errors.withLock { $0.append(error.code) }
        }
        func wait(_ seconds: Double) { clock.withLock { $0 = $0 + seconds } }
        let second = try mount.update(Keyring(createdAt: now))
        wait(0.9)
        #expect(try source.primaryKey.publicKey == first, "The interval isn't over.")
        wait(0.2)
        #expect(try source.primaryKey.publicKey == second)
        try mount.update([1])
        wait(1.1)
        for _ in 0..<100 { #expect(try source.primaryKey.publicKey == second) }
        wait(8.8)
        for _ in 0..<100 { #expect(try source.primaryKey.publicKey == second) }
        #expect(codes == [.malformedJWK], "A broken file isn't read in each interval.")
        wait(1.2)
        #expect(try source.primaryKey.publicKey == second)
        #expect(codes == [.malformedJWK, .malformedJWK], "After ten intervals it is read again.")
    }

    @Test("Readers on many threads follow the swaps of a mounted directory") func swaps() throws {
        let mount = try Mount()
        let keyrings = try (0..<20).map { try Keyring<SigningKey>(createdAt: now + Double($0)) }
        let order = keyrings.map(\.primary.key.publicKey)
        try mount.update(keyrings[0])
        let source = try source(mount.file)
        let (unknown, backwards) = (LockedValue(0), LockedValue(0))
        let isDone = LockedValue(false)
        let swapped = LockedValue<[Bool]>([])
        onThreads(5) { thread in
            guard thread > 0 else {
                for keyring in keyrings.dropFirst() {
                    let isSwapped = (try? mount.update(keyring)) != nil
                    swapped.withLock { $0.append(isSwapped) }
                    usleep(2000)
                }
                isDone.withLock { $0 = true }
                return
            }
            var last = 0
            while !isDone.withLock({ $0 }) {
                guard let index = (try? source.primaryKey.publicKey).flatMap(order.firstIndex)
                else {
                    unknown.withLock { $0 += 1 }
                    continue
                }
                if index < last { backwards.withLock { $0 += 1 } }
                last = index
            }
        }
        #expect(swapped.withLock { $0 } == [Bool](repeating: true, count: 19))
        #expect(unknown.withLock { $0 } == 0)
        #expect(backwards.withLock { $0 } == 0, "A thread got old keys after new ones.")
        #expect(try source.primaryKey.publicKey == order.last)
        #expect(codes.isEmpty)
    }

    @Test("Other threads get the known keys while one reads the file") func noWait() throws {
        let scratch = try Scratch()
        let passphrase = try Passphrase(Array("a".utf8))
        _ = try KeyringFile<SigningKey>(path: scratch.file()).createOrRotate(at: now)
        let (asked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let file = KeyringFile<SigningKey>(path: scratch.file()) { () throws(PushCryptError) in
            asked.signal()
            mayAnswer.wait()
            return passphrase
        }
        let source = try source(file)
        let known = try source.primaryKey.publicKey
        scratch.write(
            Array(#"{"protection":{"kdf":"argon2id","operations":1,"memory":8192,"#.utf8)
                + Array(#""salt":"AAAAAAAAAAAAAAAAAAAAAA","cipher":"xchacha20-poly1305","#.utf8)
                + Array(
                    #""nonce":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},"keyring":"\#(String(repeating: "A", count: 80))"}"#
                        .utf8))
        let done = DispatchSemaphore(value: 0)
        Thread {
            _ = try? source.primaryKey
            done.signal()
        }.start()
        try #require(asked.wait(timeout: .now() + 30) == .success)
        #expect(try source.primaryKey.publicKey == known)
        mayAnswer.signal()
        done.wait()
        #expect(codes == [.wrongPassphrase])
    }
}
