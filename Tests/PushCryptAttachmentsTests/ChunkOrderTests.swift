import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// A file of three chunks: each other order, length and bit is refused, before the changed part
/// reaches the caller.
@Suite struct ChunkOrderTests {
    // The last chunk has 4,096 bytes.
    private static let file = (0..<2 * AttachmentFormat.chunkLength + 4000).map {
        UInt8(truncatingIfNeeded: $0 ^ $0 >> 8)
    }
    private let file: [UInt8]
    private let sealed: SealedParts

    init() throws {
        file = Self.file
        sealed = try SealedParts(file)
        #expect(sealed.parts.map(\.count) == [25, 65_553, 65_553, 4113])
    }

    /// Opens parts, which must fail, and expects that the caller got a number of bytes at most.
    private func expectRefusal(
        _ parts: [[UInt8]], after most: Int, _ change: @autoclosure () -> String
    ) {
        var count = 0
        let code = errorCode {
            var decryption = try AttachmentDecryption(sealed.seal)
            for part in parts {
                try decryption.update(part.span) { (text) throws(PushCryptError) in
                    count += text.count
                }
            }
            try decryption.finish()
        }
        guard code == .damagedAttachment, count <= most else {
            Issue.record("\(change()): \(code.map { "\($0)" } ?? "opened"), \(count) bytes")
            return
        }
    }

    /// The length of the text in the chunks before a part.
    private func textLength(before index: Int) -> Int {
        max(index - 1, 0) * AttachmentFormat.chunkLength
    }

    @Test("Each sequence of up to four chunks opens only if it is the file") func sequences() throws
    {
        var sequences: [[Int]] = [[]]
        var all = sequences
        for _ in 1...4 {
            sequences = sequences.flatMap { sequence in (1...3).map { sequence + [$0] } }
            all += sequences
        }
        #expect(all.count == 1 + 3 + 9 + 27 + 81)
        for sequence in all {
            for start in [[0], [], [0, 0]] where start + sequence != [0, 1, 2, 3] {
                let parts = start + sequence
                // The chunks at their own places are authentic.
                let good = zip(parts, 0...).prefix { $0 == $1 }.count
                expectRefusal(
                    parts.map { sealed.parts[$0] },
                    after: min(textLength(before: good), file.count), "\(parts)")
            }
        }
        #expect(try SealedParts.open(sealed.bytes, sealed.seal) == file)
    }

    @Test("A chunk of another sealing of the same file is refused") func otherSealing() throws {
        let other = try SealedParts(file)
        for index in sealed.parts.indices {
            var parts = sealed.parts
            parts[index] = other.parts[index]
            expectRefusal(parts, after: textLength(before: index), "part \(index)")
        }
    }

    @Test("Each shorter file is refused") func truncations() {
        let bytes = sealed.bytes
        var borders: [Int] = []
        for part in sealed.parts { borders.append((borders.last ?? 0) + part.count) }
        let near = Set(borders.flatMap { [$0 - 17, $0 - 1, $0, $0 + 1, $0 + 17] } + [0, 1])
        for count in 0..<bytes.count
        where LongRun.isRequested && count % 16 == 0 || near.contains(count) {
            let good = borders.prefix { $0 <= count }.count
            expectRefusal(
                [Array(bytes.prefix(count))], after: textLength(before: good), "\(count) bytes")
        }
        expectRefusal([bytes, [0]], after: file.count, "a byte more")
    }

    // Of the text, the usual run changes a small sample, and the long one a bit of each third byte.
    @Test("A changed bit is refused") func bits() {
        for (index, part) in sealed.parts.enumerated() {
            // The header is used with the first chunk.
            var changed = Array(sealed.parts[...max(index, 1)])
            for offset in part.indices {
                // The tag and the authentication code are the first byte and the last 16.
                let isEdge = index == 0 || offset == 0 || offset >= part.count - 16
                guard isEdge || offset % LongRun.count(4093, full: 3) == 0 else { continue }
                for bit in 0..<8 where isEdge && LongRun.isRequested || bit == offset % 8 {
                    changed[index][offset] ^= 1 << bit
                    expectRefusal(
                        changed, after: textLength(before: index),
                        "bit \(bit) of byte \(offset) of part \(index)")
                    changed[index][offset] ^= 1 << bit
                }
            }
        }
    }
}
