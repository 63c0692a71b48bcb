#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An entry as it stands in the file.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | number, from 1, greater with each entry |
/// | 8 | 8 | when it began, milliseconds since 1970 |
/// | 16 | 8 | when it ended; 0 where it has not |
/// | 24 | 8 | fingerprint; zeros where there is none |
/// | 32 | 8 | key id |
/// | 40 | 1 | outcome |
/// | 41 | 1 | whether there is a key id |
/// | 42 | 1 | length of the reason |
/// | 43 | 53 | reason, ASCII, then zeros |
struct OutcomeRecord {
    static let length = 96
    static let numberOffset = 0
    static let fingerprintLength = 8
    static let longestCode = 53

    let number: UInt64
    let entry: OutcomeEntry

    init(number: UInt64, entry: OutcomeEntry) {
        self.number = number
        self.entry = entry
    }

    /// Reads a record; `nil` where it is none, because whoever wrote it was killed.
    init?(reading bytes: [UInt8]) {
        func number(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        let reasonLength = Int(bytes[42])
        guard number(0) > 0, let outcome = OutcomeEntry.Outcome(rawValue: bytes[40]), reasonLength <= Self.longestCode
        else { return nil }
        let reason = PushCryptError.Code(rawValue: String(decoding: bytes[43..<(43 + reasonLength)], as: UTF8.self))
        guard reasonLength == 0 || Self.isCode(reason) else { return nil }
        let fingerprint = Array(bytes[24..<32])
        self.number = number(0)
        entry = OutcomeEntry(
            outcome: outcome, began: Date(millisecondsSince1970: number(8)),
            ended: number(16) == 0 ? nil : Date(millisecondsSince1970: number(16)),
            reason: reasonLength == 0 ? nil : reason, keyID: bytes[41] == 0 ? nil : KeyID(bytes.span, at: 32),
            fingerprint: fingerprint.allSatisfy { $0 == 0 } ? nil : fingerprint)
    }

    /// The record's 96 bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let ended = entry.ended.map { max($0.millisecondsSince1970, 1) } ?? 0
        for number in [number, entry.began.millisecondsSince1970, ended] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        }
        bytes += entry.fingerprint ?? [UInt8](repeating: 0, count: Self.fingerprintLength)
        bytes += entry.keyID?.bytes ?? [UInt8](repeating: 0, count: KeyID.length)
        let reason = entry.reason.map { Array($0.rawValue.utf8) } ?? []
        bytes += [entry.outcome.rawValue, entry.keyID == nil ? 0 : 1, UInt8(truncatingIfNeeded: reason.count)]
        bytes += reason
        bytes += [UInt8](repeating: 0, count: Self.length - bytes.count)
        return bytes
    }

    /// Whether a text looks like an error's code: a short word in lower case, with hyphens and digits.
    static func isCode(_ code: PushCryptError.Code) -> Bool {
        let text = code.rawValue.utf8
        return !text.isEmpty && text.count <= longestCode
            && text.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
}
