import Foundation
import PushCryptTesting
import TestSupport

/// A replay guard's file, parsed by its format and not by the guard's own code.
struct GuardFile {
    static let mark: [UInt8] = Array("PCIDS\u{3}\r\n".utf8)
    static let recordLength = 40

    let scratch: Scratch
    var path: String { scratch.file("ids") }

    init() throws {
        scratch = try Scratch()
    }

    var bytes: [UInt8] { scratch.contents(of: "ids") ?? [] }

    func write(_ bytes: [UInt8]) { scratch.write(bytes, to: "ids") }

    /// The number, the issue time and the expiration of each message's record, in milliseconds.
    var places: [(number: Int, issued: UInt64, expiration: UInt64)] {
        stride(from: 8 + 2 * Self.recordLength, to: bytes.count - 39, by: Self.recordLength).map {
            start in
            (Int(number(at: start) >> 32), number(at: start + 16), number(at: start + 24))
        }
    }

    /// The times up to which messages may be forgotten: of issue and expiration.
    var forgotten: [UInt64] { [number(at: 32), number(at: 40)] }

    /// The numbers of the stored IDs.
    var numbers: Set<Int> { Set(places.filter { $0.expiration != 0 }.map(\.number)) }

    /// Returns an ID that differs from others in every byte.
    static func id(_ number: Int) throws -> MessageID {
        var random = SeededRandom(seed: UInt64(number))
        return try MessageID(
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } + random.bytes(12))
    }

    private func number(at start: Int) -> UInt64 {
        bytes[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ReplayGuard {
    /// Admits the ID with a number, for a message that expires `age` seconds after its issue.
    ///
    /// Throws `replayed` for a message of the last hour, too.
    func admit(
        _ number: Int, at issuedAt: Date = .example, age: TimeInterval = 100, account: String = "",
        now: Date? = nil
    ) throws {
        let message = GuardedMessage(
            id: try GuardFile.id(number), account: account, issuedAt: issuedAt,
            expiration: issuedAt + age)
        if try admit(message, now: now ?? issuedAt) == .repeated {
            throw PushCryptError(.replayed, "The message was recorded within the last hour.")
        }
    }

    /// Returns whether an ID is admitted, and not rejected as replayed.
    ///
    /// Tries again if another process holds the lock.
    func isNew(
        _ number: Int, at issuedAt: Date = .example, age: TimeInterval = 100, account: String = "",
        now: Date? = nil
    ) throws -> Bool {
        for _ in 0..<1000 {
            do {
                try admit(number, at: issuedAt, age: age, account: account, now: now)
                return true
            } catch let error as PushCryptError where error.code == .replayed {
                return false
            } catch let error as PushCryptError where error.code == .lockTimeout {
                continue
            }
        }
        throw PushCryptError(.lockTimeout, "The lock was never free.")
    }

    /// Returns the code of admitting an ID.
    func code(
        _ number: Int, at issuedAt: Date = .example, age: TimeInterval = 100, account: String = "",
        now: Date? = nil
    ) -> PushCryptError.Code? {
        errorCode { try admit(number, at: issuedAt, age: age, account: account, now: now) }
    }
}

extension Date {
    /// 2026-01-01 00:00 UTC.
    static let example = Date(timeIntervalSince1970: 1_767_225_600)
}
