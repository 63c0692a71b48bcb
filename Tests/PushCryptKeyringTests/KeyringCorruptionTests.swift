import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// A damaged keyring file gives an error or the same keys, never other keys, and stays unchanged.
@Suite struct KeyringCorruptionTests {
    private let scratch: Scratch
    private let bytes: [UInt8]
    private let ring: Keyring<RecipientPrivateKey>
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        scratch = try Scratch()
        let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
        _ = try file.createOrRotate(at: now)
        _ = try file.createOrRotate(at: now + 1)
        let later = now + 2
        ring = try file.update { (ring) throws(PushCryptError) in try ring.addPendingKey(at: later)
        }
        bytes = try #require(scratch.contents())
    }

    private func read(_ bytes: [UInt8]) throws -> Keyring<RecipientPrivateKey> {
        try Keyring(parsing: bytes.span)
    }

    private func keys(_ ring: Keyring<RecipientPrivateKey>) -> [[String]] {
        [
            [ring.primary.key.publicKey.kid], ring.pending.map(\.key.publicKey.kid),
            ring.retired.map(\.key.publicKey.kid),
        ]
    }

    @Test("No flipped bit changes a key") func noFlippedBitChangesAKey() throws {
        var harmless = 0
        let secrets = String(decoding: bytes, as: UTF8.self).components(separatedBy: #""d":""#)
            .dropFirst()
            .flatMap { [$0.prefix(20), $0.prefix(43).suffix(20)] }
        let step = LongRun.count(7, full: 1)
        for index in stride(from: 0, to: bytes.count, by: step) {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << bit
                do throws(PushCryptError) {
                    let read = try Keyring<RecipientPrivateKey>(parsing: other.span)
                    // A digit of a time or of the generation, or a bit that X25519 ignores: JSON
                    // has no checksum.
                    #expect(keys(read) == keys(ring), "bit \(bit) of byte \(index)")
                    harmless += 1
                } catch {
                    #expect(!secrets.contains { error.reason.contains($0) })
                }
            }
        }
        // 8 bits in each of some dozens of digits, and 5 bits in each private key.
        #expect((50 / step...(step == 1 ? 250 : 70)).contains(harmless), "\(harmless)")
    }

    @Test("Every truncation is an error") func everyTruncationIsAnError() {
        // Without the line break at the end, the file is complete.
        for length in 0..<(bytes.count - 1) {
            #expect(errorCode { try read(Array(bytes.prefix(length))) } != nil, "\(length) bytes")
        }
    }

    @Test("A damaged file stays unchanged") func aDamagedFileStaysAsItIsWhateverIsTried() throws {
        var random = SystemRandomNumberGenerator()
        let file = KeyringFile<RecipientPrivateKey>(path: scratch.file())
        for _ in 0..<100 {
            var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            if !damaged.isEmpty { damaged[Int.random(in: damaged.indices, using: &random)] ^= 0x80 }
            scratch.write(damaged)
            #expect(errorCode { try file.read() } != nil)
            #expect(errorCode { try file.readIfPresent() } != nil)
            #expect(errorCode { try file.readOrCreate(at: now) } != nil)
            #expect(errorCode { try file.createOrRotate(at: now) } != nil)
            #expect(
                errorCode {
                    try file.update { (ring) throws(PushCryptError) in try ring.rotate(at: now) }
                } != nil)
            #expect(
                errorCode {
                    try file.updateOrCreate { (ring) throws(PushCryptError) in ring = nil }
                } != nil)
            #expect(scratch.contents() == damaged)
            #expect(try scratch.names == ["ring.jwks", "ring.jwks.lock"])
        }
    }
}
