import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// Sealed files: what is sealed opens, and nothing else does.
@Suite struct AttachmentEncryptionTests {
    private func file(_ length: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(length))
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(
        "A file of any length opens again",
        arguments: LongRun.cases(
            [0, 1, 1023, 1024, 1025, 65_536, 65_535, 131_072, 65_537, 200_000], usually: 5))
    func roundTrip(length: Int) throws {
        let file = file(length)
        let sealed = try SealedParts(file)
        #expect(sealed.bytes.count == AttachmentFormat.sealedLength(length))
        for part in [sealed.bytes.count, 65_553, 1000, 7] where length < 2000 || part > 7 {
            #expect(try SealedParts.open(sealed.bytes, sealed.seal, partsOf: part) == file)
        }
    }

    @Test("The same file has another key, header and contents for each notification")
    func keysDiffer() throws {
        let file = file(70_000)
        let all = try (0..<20).map { _ in try SealedParts(file) }
        #expect(Set(all.map(\.seal.key)).count == 20 && Set(all.map(\.seal.digest)).count == 20)
        for part in 0..<3 { #expect(Set(all.map { $0.parts[part] }).count == 20) }
        #expect(errorCode { try SealedParts.open(all[0].bytes, all[1].seal) } == .damagedAttachment)
    }

    @Test("The padding reveals few lengths") func padding() {
        #expect([0, 1, 1024].map(AttachmentFormat.paddedLength) == [1024, 1024, 1024])
        #expect(
            [1025, 2049, 10_000, 100_001].map(AttachmentFormat.paddedLength) == [
                1088, 2176, 10_240, 100_352,
            ])
        for length in stride(from: 1, through: 50_000_000, by: 9973) {
            let padded = AttachmentFormat.paddedLength(length)
            #expect(padded >= length && (length < 1024 || Double(padded) <= Double(length) * 1.12))
        }
    }

    @Test("A file that was cut, extended or changed doesn't open") func changes() throws {
        let sealed = try SealedParts(file(140_000))
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
        for bytes in changed {
            #expect(errorCode { try SealedParts.open(bytes, sealed.seal) } == .damagedAttachment)
        }
    }

    @Test("A changed bit is found") func changedBits() throws {
        let sealed = try SealedParts(file(10))
        for index in sealed.bytes.indices {
            for bit in LongRun.isRequested ? 0..<8 : index % 8..<(index % 8 + 1) {
                var bytes = sealed.bytes
                bytes[index] ^= 1 << bit
                #expect(
                    errorCode { try SealedParts.open(bytes, sealed.seal) } == .damagedAttachment)
            }
        }
    }

    @Test("Another key, length or digest doesn't open") func otherFacts() throws {
        let file = file(3000)
        let (sealed, other) = (try SealedParts(file), try SealedParts(file))
        let seal = sealed.seal
        let wrong = [
            MediaAttachment.Seal(key: other.seal.key, length: seal.length, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: seal.length, digest: other.seal.digest),
            MediaAttachment.Seal(key: seal.key, length: seal.length - 1, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: 1000, digest: seal.digest),
            MediaAttachment.Seal(key: seal.key, length: 100_000, digest: seal.digest),
        ]
        for seal in wrong {
            #expect(errorCode { try SealedParts.open(sealed.bytes, seal) } == .damagedAttachment)
        }
    }
}
