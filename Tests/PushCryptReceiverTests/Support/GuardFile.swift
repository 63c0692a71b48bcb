import Foundation
import PushCryptTesting
import TestSupport

/// A replay guard's file, parsed by its format and not by the guard's own code.
struct GuardFile {
    static let mark: [UInt8] = Array("PCIDS\u{1}\r\n".utf8)
    static let recordLength = 24

    let scratch: Scratch
    var path: String { scratch.file("ids") }

    init() throws {
        scratch = try Scratch()
    }

    var bytes: [UInt8] { scratch.contents(of: "ids") ?? [] }

    func write(_ bytes: [UInt8]) { scratch.write(bytes, to: "ids") }

    /// The number and the time of each record, including free ones.
    var places: [(number: Int, time: UInt64)] {
        stride(from: 8, to: bytes.count - 23, by: Self.recordLength).map { start in
            let record = Array(bytes[start..<(start + Self.recordLength)])
            return (Self.number(of: record), record[16...].reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    /// The numbers of the stored IDs.
    var numbers: Set<Int> { Set(places.filter { $0.time != 0 }.map(\.number)) }

    /// Returns an ID that differs from others in every byte.
    static func id(_ number: Int) throws -> MessageID {
        var random = SeededRandom(seed: UInt64(number))
        return try MessageID((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } + random.bytes(12))
    }

    private static func number(of record: [UInt8]) -> Int { record[..<4].reduce(0) { $0 << 8 | Int($1) } }
}

extension ReplayGuard {
    /// Admits the ID with a number, and returns whether it was new.
    ///
    /// Tries again if another process holds the lock.
    func isNew(_ number: Int, at issuedAt: Date = .example) throws -> Bool {
        for _ in 0..<1000 {
            do {
                try admit(try GuardFile.id(number), issuedAt: issuedAt)
                return true
            } catch let error as PushCryptError where error.code == .replayed {
                return false
            } catch let error as PushCryptError where error.reason.contains("Timed out") {
                continue
            }
        }
        throw PushCryptError(.fileSystemError, "The lock was never free.")
    }
}

extension Date {
    /// 2026-01-01 00:00 UTC.
    static let example = Date(timeIntervalSince1970: 1_767_225_600)
}
