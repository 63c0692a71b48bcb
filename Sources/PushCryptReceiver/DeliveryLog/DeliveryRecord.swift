internal import PushCryptCore
internal import PushCryptKeyring

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An entry as it stands in the file, or the note that what was before it is not known.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | number, from 1, greater with each entry |
/// | 8 | 8 | when it began, milliseconds since 1970; of the note, when it was written |
/// | 16 | 8 | when it ended; 0 where it has not |
/// | 24 | 8 | fingerprint; zeros where there is none |
/// | 32 | 8 | key id |
/// | 40 | 1 | outcome; 255 for the note, which has nothing else |
/// | 41 | 1 | whether there is a key id |
/// | 42 | 1 | length of the reason |
/// | 43 | 53 | reason, ASCII, then zeros |
struct DeliveryRecord {
    static let length = 96
    static let fingerprintLength = 8
    static let longestCode = 53

    /// What stands for the outcome where a log was cleared, or begun anew.
    private static let beginning: UInt8 = 255
    /// Greater numbers come from damage: they would leave none for what comes.
    private static let numbers: Range<UInt64> = 1..<(1 << 62)

    let number: UInt64
    /// When it was written, but for its end: what was written before it has left the log first.
    let written: Date
    /// `nil` where the record says that what was before it is not known.
    let entry: DeliveryLogEntry?

    init(number: UInt64, entry: DeliveryLogEntry) {
        self.number = number
        self.entry = entry
        written = entry.outcome == .notRun ? entry.ended ?? entry.began : entry.began
    }

    /// A record that says that what was before it is not known.
    init(number: UInt64, beginningAt date: Date) {
        self.number = number
        written = date
        entry = nil
    }

    /// A record's number; 0 where it has none.
    static func number(of index: Int, in records: borrowing RecordFile.Records) -> UInt64 {
        let number = records.number(at: 0, of: index)
        return numbers.contains(number) ? number : 0
    }

    /// A record's fingerprint, whatever else is in it.
    static func fingerprint(of record: ArraySlice<UInt8>) -> DeliveryLogEntry.Fingerprint {
        Array(record.dropFirst(24).prefix(fingerprintLength))
    }

    /// Reads a record; `nil` where it is none, because whoever wrote it was killed.
    init?(reading bytes: [UInt8]) {
        func number(_ offset: Int) -> UInt64 { bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        guard bytes.count == Self.length, Self.numbers.contains(number(0)) else { return nil }
        let began = Date(millisecondsSince1970: number(8))
        if bytes[40] == Self.beginning {
            self.init(number: number(0), beginningAt: began)
            return
        }
        let reasonLength = Int(bytes[42])
        guard let outcome = DeliveryLogEntry.Outcome(rawValue: bytes[40]), reasonLength <= Self.longestCode else {
            return nil
        }
        let reason = PushCryptError.Code(rawValue: String(decoding: bytes[43..<(43 + reasonLength)], as: UTF8.self))
        guard reasonLength == 0 || Self.isCode(reason) else { return nil }
        let fingerprint = Self.fingerprint(of: bytes[...])
        self.init(
            number: number(0),
            entry: DeliveryLogEntry(
                outcome: outcome, began: began, ended: number(16) == 0 ? nil : Date(millisecondsSince1970: number(16)),
                reason: reasonLength == 0 ? nil : reason, keyID: bytes[41] == 0 ? nil : KeyID(bytes.span, at: 32),
                fingerprint: fingerprint.allSatisfy { $0 == 0 } ? nil : fingerprint))
    }

    /// The record's 96 bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let ended = entry?.ended.map { max($0.millisecondsSince1970, 1) } ?? 0
        for number in [number, (entry?.began ?? written).millisecondsSince1970, ended] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        }
        bytes += entry?.fingerprint ?? [UInt8](repeating: 0, count: Self.fingerprintLength)
        bytes += entry?.keyID?.bytes ?? [UInt8](repeating: 0, count: KeyID.length)
        let reason = (entry?.reason).map { Array($0.rawValue.utf8.prefix(Self.longestCode)) } ?? []
        bytes += [entry?.outcome.rawValue ?? Self.beginning, entry?.keyID == nil ? 0 : 1, UInt8(reason.count)]
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
