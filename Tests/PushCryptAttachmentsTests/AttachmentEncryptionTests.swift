import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// Sealed files: what is sealed opens, and nothing else does.
@Suite struct AttachmentEncryptionTests {
    /// The facts about a sealed file, and its bytes in their parts: the start, and each chunk.
    struct Sealed {
        var parts: [[UInt8]]
        let seal: MediaAttachment.Seal

        init(_ file: [UInt8]) throws {
            var start: [UInt8] = []
            var encryption = try AttachmentEncryption(length: file.count, start: &start)
            parts = [start]
            let padding = AttachmentFormat.paddedLength(file.count) - file.count
            let padded = file + [UInt8](repeating: 0, count: padding)
            var position = 0
            while encryption.nextLength > 0 {
                let end = position + encryption.nextLength
                parts.append(encryption.seal(padded.span.extracting(position..<end)))
                position = end
            }
            seal = encryption.finish()
        }

        var bytes: [UInt8] { Array(parts.joined()) }
    }

    /// Opens a sealed file that arrives in parts of a length.
    private func open(_ bytes: [UInt8], _ seal: MediaAttachment.Seal, partsOf length: Int = 1000) throws -> [UInt8] {
        var decryption = try AttachmentDecryption(seal)
        var file: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let end = min(position + length, bytes.count)
            try decryption.update(bytes.span.extracting(position..<end)) { (part) throws(PushCryptError) in
                file += [UInt8](copying: part)
            }
            position = end
        }
        try decryption.finish()
        return file
    }

    private func file(_ length: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(length))
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "A file of any length opens again",
        arguments: [0, 1, 1023, 1024, 1025, 65_535, 65_536, 65_537, 131_072, 200_000])
    func roundTrip(length: Int) throws {
        let file = file(length)
        let sealed = try Sealed(file)
        #expect(sealed.bytes.count == AttachmentFormat.sealedLength(length))
        for part in [sealed.bytes.count, 65_553, 1000, 7] where length < 2000 || part > 7 {
            #expect(try open(sealed.bytes, sealed.seal, partsOf: part) == file)
        }
    }

    @Test("Each file has a key of its own") func keysDiffer() throws {
        let one = try Sealed([1, 2, 3])
        let other = try Sealed([1, 2, 3])
        #expect(one.seal.key != other.seal.key && one.bytes != other.bytes)
    }

    @Test("The padding reveals few lengths") func padding() {
        #expect([0, 1, 1024].map(AttachmentFormat.paddedLength) == [1024, 1024, 1024])
        #expect([1025, 2049, 10_000, 100_001].map(AttachmentFormat.paddedLength) == [1088, 2176, 10_240, 100_352])
        for length in stride(from: 1, through: 50_000_000, by: 9973) {
            let padded = AttachmentFormat.paddedLength(length)
            #expect(padded >= length && (length < 1024 || Double(padded) <= Double(length) * 1.12))
        }
    }

    @Test("A file that was cut, extended or changed doesn't open") func changes() throws {
        let sealed = try Sealed(file(200_000))
        let bytes = sealed.bytes
        var changed: [[UInt8]] = [[], Array(bytes.dropLast()), bytes + [0], bytes + bytes]
        for removed in sealed.parts.indices {
            var parts = sealed.parts
            parts.remove(at: removed)
            changed.append(Array(parts.joined()))
            parts = sealed.parts
            parts.insert(parts[removed], at: removed)
            changed.append(Array(parts.joined()))
            if removed > 1 {
                parts = sealed.parts
                parts.swapAt(removed, removed - 1)
                changed.append(Array(parts.joined()))
            }
        }
        for bytes in changed { #expect(errorCode { try open(bytes, sealed.seal) } == .damagedAttachment) }
    }

    @Test("A changed bit is found") func changedBits() throws {
        let sealed = try Sealed(file(10))
        for index in sealed.bytes.indices {
            for bit in index < 60 ? 0..<8 : index % 8..<(index % 8 + 1) {
                var bytes = sealed.bytes
                bytes[index] ^= 1 << bit
                #expect(errorCode { try open(bytes, sealed.seal) } == .damagedAttachment)
            }
        }
    }

    @Test("Another key, length or digest doesn't open") func otherFacts() throws {
        let file = file(3000)
        let (sealed, other) = (try Sealed(file), try Sealed(file))
        let seal = sealed.seal
        let wrong = [
            MediaAttachment.Seal(key: other.seal.key, length: seal.length, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: seal.length, digest: other.seal.digest),
            MediaAttachment.Seal(key: seal.key, length: seal.length - 1, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: 1000, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: 100_000, digest: seal.digest),
        ]
        for seal in wrong { #expect(errorCode { try open(sealed.bytes, seal) } == .damagedAttachment) }
    }
}
