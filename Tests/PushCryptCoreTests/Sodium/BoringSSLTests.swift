// Both libraries in one process, because the default depends on the CPU.
#if FastX25519
import Clibsodium
import Foundation
import TestSupport
import Testing

@testable import PushCryptCore

@Suite struct BoringSSLTests {
    static let secret = [UInt8](1...32)
    static let publicKey = RawSodium.publicKey(of: secret)

    /// The result of sealing or opening: the error's code, and the buffer.
    struct Outcome: Hashable, Sendable {
        let code: PushCryptError.Code?
        let buffer: [UInt8]
    }

    /// Seals into a buffer that is filled with 0xAA.
    static func seal(_ text: [UInt8], to key: [UInt8], boringSSL: Bool) throws -> Outcome {
        var buffer = [UInt8](repeating: 0xAA, count: text.count + SealedBox.overhead)
        let key = try Bytes32(key.span)
        do throws(PushCryptError) {
            try SealedBox.seal(
                text.span, to: key, into: &buffer, at: 0, usesBoringSSL: boringSSL)
        } catch {
            return Outcome(code: error.code, buffer: buffer)
        }
        return Outcome(code: nil, buffer: buffer)
    }

    /// Opens into a buffer that is filled with 0xAA.
    static func open(_ box: [UInt8], _ secret: SecretBytes, boringSSL: Bool) throws -> Outcome {
        var buffer = [UInt8](repeating: 0xAA, count: max(box.count - SealedBox.overhead, 0))
        var key = try X25519KeyPair(secret: secret)
        key.boringSSL = boringSSL ? secret.withSpan { BoringSSLKey($0) } : nil
        #expect((key.boringSSL != nil) == boringSSL)
        do throws(PushCryptError) {
            try SealedBox.open(box.span, with: key, into: &buffer, at: 0)
        } catch {
            return Outcome(code: error.code, buffer: buffer)
        }
        return Outcome(code: nil, buffer: buffer)
    }

    /// A box that begins with any 32 bytes, with the key that X25519 derives from them and the
    /// recipient's secret key.
    static func forgedBox(_ ephemeral: [UInt8], sharedSecret: [UInt8], text: [UInt8]) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 24)
        var key = [UInt8](repeating: 0, count: 32)
        var box = [UInt8](repeating: 0, count: text.count + 16)
        let zeros = [UInt8](repeating: 0, count: 16)
        _ = unsafe crypto_generichash(&nonce, 24, ephemeral + publicKey, 64, nil, 0)
        _ = unsafe crypto_core_hsalsa20(&key, zeros, sharedSecret, nil)
        _ = unsafe crypto_secretbox_easy(&box, text, UInt64(text.count), nonce, key)
        return ephemeral + box
    }

    @Test("Boxes of one library open with the other and with libsodium's own calls")
    func boxesOpenWithTheOtherLibrary() throws {
        let count = Int(ProcessInfo.processInfo.environment["PUSHCRYPT_BOXES"] ?? "") ?? 500
        let failures = LockedCount()
        let sealed = LockedCount()
        onThreads(2) { thread in
            var random = SeededRandom(seed: UInt64(thread))
            var secret = Self.secret
            var key = Self.publicKey
            guard var held = try? SecretBytes(secret) else { return failures.add() }
            for number in stride(from: thread, to: count, by: 2) {
                if number % 16 < 2 {
                    secret = random.bytes(32)
                    key = RawSodium.publicKey(of: secret)
                    guard let next = try? SecretBytes(secret) else { return failures.add() }
                    held = next
                }
                let text = random.bytes(Int(random.next() % (number % 64 == 0 ? 4096 : 64)))
                let opened = Outcome(code: nil, buffer: text)
                var boxes: [[UInt8]] = []
                if number % 4 < 2 {
                    let fast = try? Self.seal(text, to: key, boringSSL: true)
                    let slow = try? Self.seal(text, to: key, boringSSL: false)
                    boxes = [fast, slow].compactMap { $0?.code == nil ? $0?.buffer : nil }
                    if boxes.count != 2 { failures.add() }
                } else {
                    boxes = [RawSodium.seal(text, to: key).box]
                }
                for box in boxes {
                    if (try? Self.open(box, held, boringSSL: true)) != opened { failures.add() }
                    if (try? Self.open(box, held, boringSSL: false)) != opened { failures.add() }
                    let raw = RawSodium.open(box, key, secret)
                    if raw.status != 0 || raw.message != text { failures.add() }
                }
                let changed = flipping(
                    bit: Int(random.next() % UInt64(boxes[0].count * 8)), of: boxes[0])
                let outcome = try? Self.open(changed, held, boringSSL: true)
                // Libraries ignore the top bit of the ephemeral key, but the nonce depends on it.
                if outcome?.code != .decryptionFailed
                    || outcome?.buffer.allSatisfy({ $0 == 0xAA }) != true
                {
                    failures.add()
                }
                sealed.add()
            }
        }
        #expect(sealed.value == count)
        #expect(failures.value == 0)
    }

    @Test(
        "Both libraries reject the same recipient keys, and leave zeros",
        arguments: Points.fourteenOfSmallOrder + Points.nineteenNotCanonical + [
            Points.withTopBit(publicKey)
        ])
    func sameRecipientKeys(_ point: [UInt8]) throws {
        let text = Array("what only the device reads".utf8)
        let fast = try Self.seal(text, to: point, boringSSL: true)
        let slow = try Self.seal(text, to: point, boringSSL: false)
        #expect(fast.code == slow.code)
        #expect((fast.code == .invalidKey) == (RawSodium.seal(text, to: point).status != 0))
        if fast.code != nil {
            #expect(fast.buffer == [UInt8](repeating: 0, count: text.count + 48) && fast == slow)
        }
    }

    @Test(
        "Both libraries open the same boxes from unusual ephemeral keys",
        arguments: Points.fourteenOfSmallOrder + Points.nineteenNotCanonical + [
            Points.withTopBit(publicKey)
        ])
    func sameEphemeralKeys(_ point: [UInt8]) throws {
        var shared = [UInt8](repeating: 0, count: 32)
        let status = unsafe crypto_scalarmult(&shared, Self.secret, point)
        // Without the check of the shared secret, an attacker without any key could create this
        // box.
        if status != 0 { shared = [UInt8](repeating: 0, count: 32) }
        let text = Array("text".utf8)
        let box = Self.forgedBox(point, sharedSecret: shared, text: text)
        let held = try SecretBytes(Self.secret)
        let fast = try Self.open(box, held, boringSSL: true)
        #expect(fast == (try Self.open(box, held, boringSSL: false)))
        let refused = Outcome(code: .decryptionFailed, buffer: [UInt8](repeating: 0xAA, count: 4))
        #expect(fast == (status == 0 ? Outcome(code: nil, buffer: text) : refused))
        #expect(RawSodium.open(box, Self.publicKey, Self.secret).status == status)
    }

    @Test("Both libraries reject truncated boxes and those for another key")
    func wrongLengthsAndKeys() throws {
        let held = try SecretBytes(Self.secret)
        let text = Array("text".utf8)
        let box = RawSodium.seal(text, to: Self.publicKey).box
        for boringSSL in [true, false] {
            for length in 0..<box.count {
                let outcome = try Self.open(Array(box[..<length]), held, boringSSL: boringSSL)
                #expect(
                    outcome.code == .decryptionFailed && outcome.buffer.allSatisfy { $0 == 0xAA })
            }
            let other = try SecretBytes([UInt8](2...33))
            #expect(try Self.open(box, other, boringSSL: boringSSL).code == .decryptionFailed)
        }
    }

    @Test("Both libraries use all bits of a secret key but the clamped ones", arguments: 0..<256)
    func sameSecretKeys(_ bit: Int) throws {
        let text = Array("text".utf8)
        let box = RawSodium.seal(text, to: Self.publicKey).box
        let held = try SecretBytes(flipping(bit: bit, of: Self.secret))
        let fast = try Self.open(box, held, boringSSL: true)
        #expect(fast == (try Self.open(box, held, boringSSL: false)))
        #expect((fast.code == nil) == [0, 1, 2, 254, 255].contains(bit))
    }

    @Test("Both libraries open the boxes of all test vectors alike") func sameVectors() throws {
        struct Corpus: Decodable {
            struct Vector: Decodable {
                let payload: String?
            }
            let keys: [String: [String: String]]
            let vectors: [Vector]
        }
        let corpus = try VectorFile.load("opening.json", minimum: ["vectors": 377], as: Corpus.self)
        var (opened, refused) = (0, 0)
        for vector in corpus.vectors {
            guard let text = vector.payload,
                let start = text.range(of: #""ENCRYPTED_DATA":""#)?.upperBound,
                let end = text[start...].firstIndex(of: "\""),
                let envelope = try? Base64URL.decode(Array(text[start..<end].utf8).span),
                envelope.count > 9
            else { continue }
            for name in ["alice", "bob"] {
                let jwk = try JSONEncoder().encode(try #require(corpus.keys[name]))
                let key = try RecipientPrivateKey(jwk: Array(jwk))
                let box = Array(envelope[9...])
                let fast = try Self.open(box, key.secret, boringSSL: true)
                let slow = try Self.open(box, key.secret, boringSSL: false)
                #expect(fast == slow)
                if fast.code == nil { opened += 1 } else { refused += 1 }
            }
        }
        #expect(opened >= 250 && refused >= 250, "\(opened) opened, \(refused) refused")
    }

    @Test("The libraries are chosen for sealing and for opening, and named") func theChoice() throws
    {
        let libsodium = "libsodium \(Sodium.version)"
        let seals = X25519Choice.boringSSLSeals ? "BoringSSL" : libsodium
        let opens = X25519Choice.boringSSLOpens ? "BoringSSL" : libsodium
        #expect(
            RecipientPublicKey.backend
                == (seals == opens ? seals : "\(seals) seals, \(opens) opens"))
        #expect((try RecipientPrivateKey().pair.boringSSL != nil) == X25519Choice.boringSSLOpens)
    }
}

/// A number that threads count together.
private final class LockedCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func add() { lock.withLock { count += 1 } }
    var value: Int { lock.withLock { count } }
}
#endif
