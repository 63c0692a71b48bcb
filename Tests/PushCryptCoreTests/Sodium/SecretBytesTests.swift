import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@Suite struct SecretBytesTests {
    @Test("Secret bytes are stored", arguments: [1, 16, 32, 43, 64, 4096, 5000])
    func holdsWhatWasWritten(_ count: Int) throws {
        var random = SeededRandom(seed: 1)
        let bytes = random.bytes(count)
        let secret = try SecretBytes(bytes)
        #expect(secret.count == count)
        #expect(secret.copy == bytes)
    }

    @Test("Random secrets differ") func newSecretsAreRandom() throws {
        let secrets = try (0..<20).map { _ in try SecretBytes(randomCount: 32) }
        #expect(secrets.allSatisfy { $0.count == 32 })
        #expect(Set(secrets.map(\.copy)).count == 20)
    }

    @Test("The memory is zero at first") func isZeroBeforeItIsWritten() throws {
        let secret = try SecretBytes(count: 100) { (_) throws(PushCryptError) in }
        #expect(secret.copy == [UInt8](repeating: 0, count: 100))
    }

    @Test("A secret may have no bytes") func mayHoldNothing() throws {
        let nothing = try SecretBytes([])
        #expect(nothing.count == 0)
        #expect(nothing.copy.isEmpty)
        #expect(nothing.isEqual(to: try SecretBytes([])))
        #expect(!nothing.isEqual(to: try SecretBytes([0])))
    }

    @Test("Only the same bytes are equal") func equalsTheSameBytesOnly() throws {
        let bytes = [UInt8](0..<40)
        let secret = try SecretBytes(bytes)
        #expect(secret.isEqual(to: secret))
        #expect(secret.isEqual(to: try SecretBytes(bytes)))
        #expect(!secret.isEqual(to: try SecretBytes(bytes + [0])))
        #expect(!secret.isEqual(to: try SecretBytes(Array(bytes.dropLast()))))
        for bit in 0..<(40 * 8) {
            #expect(
                !secret.isEqual(to: try SecretBytes(flipping(bit: bit, of: bytes))), "bit \(bit)")
        }
    }

    #if os(Linux)
    @Test("The memory can't be written to after it is filled", arguments: [0, 1, 32, 5000])
    func theMemoryIsReadOnly(_ count: Int) throws {
        let secret = try SecretBytes(randomCount: count)
        let address = secret.withSpan {
            unsafe $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
        let region = try #require(
            maps.split(separator: "\n").first { line in
                let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap {
                    UInt($0, radix: 16)
                }
                return bounds.count == 2 && (bounds[0]..<bounds[1]).contains(address)
            })
        #expect(region.split(separator: " ")[1] == "r--p")
        withExtendedLifetime(secret) {}
    }
    #endif

    @Test("The error of the closure is thrown") func passesOnWhatWritingThrows() {
        let code = errorCode {
            try SecretBytes(count: 8) { (_) throws(PushCryptError) in
                throw PushCryptError(.malformedJWK, "No.")
            }
        }
        #expect(code == .malformedJWK)
    }

    @Test("A printed secret contains no bytes") func showsNothingWhenPrinted() throws {
        let secret = try SecretBytes(Array("do not print".utf8))
        #expect(!"\(secret)".contains("print"))
        #expect(!String(reflecting: secret).contains("print"))
    }

    @Test("Many secrets can be created and released") func cannotBeWrittenLaterAndIsGuarded() throws
    {
        // The guarded memory of released secrets is reused.
        for round in 0..<200 {
            let secrets = try (0..<4).map {
                try SecretBytes([UInt8](repeating: UInt8(round + $0 & 0xFF), count: 64))
            }
            for (index, secret) in secrets.enumerated() {
                #expect(secret.copy.allSatisfy { $0 == UInt8(round + index & 0xFF) })
            }
        }
    }
}
