internal import Foundation
internal import PushCryptCore

/// The record of one notification.
struct DeliveryLogEntry: Sendable, Hashable {
    /// The kind of the outcome: one that the extension has handed over, or one of the log alone.
    var outcome: PushOutcome.Kind
    /// The time at which the extension began, or at which the system delivered a notification that
    /// the extension didn't see.
    let began: Date
    /// The time at which the content was handed over, or the app found it; `nil` if the entry is
    /// unfinished.
    var ended: Date?
    /// The reason for the fallback; or `replayGuardUnavailable` if a message was opened without its
    /// guard.
    var reason: PushCryptError.Code?
    /// A Boolean value that indicates whether the extension has left a receipt in the notification.
    var hasReceipt = false
    /// A short keyed hash of the sealed value in base64url; `nil` before the first unlock.
    var fingerprint: String?
    /// The name of the foreign opener that has opened the message; `nil` for a sealed one.
    var opener: String?
    /// The position in the log, from 1.
    var number: UInt64 = 0

    /// The time after which no earlier entry can follow in the log.
    var written: Date { outcome == .notRun ? ended ?? began : began }
}

extension PushOutcome.Kind {
    /// The extension has begun and not finished: the system ended it, it crashed, or it still runs.
    static let unfinished = Self(rawValue: "unfinished")
    /// The extension didn't run: the app found the notification displayed, but not in the log.
    static let notRun = Self(rawValue: "not-run")
    /// The log was cleared or damaged, so that nothing is known about earlier notifications.
    static let logStarted = Self(rawValue: "log-started")
}

// The record in the file: number, beginning, end, outcome, receipt (1), fingerprint, reason and
// opener, separated by spaces and padded to 192 bytes of ASCII. Times are milliseconds since 1970;
// a missing value is a dot.
extension DeliveryLogEntry {
    static let recordLength = 192
    static let longestCode = 53
    private static let missing = "."

    var record: [UInt8] {
        let fields = [
            "\(number)", "\(began.millisecondsSince1970)",
            ended.map { "\($0.millisecondsSince1970)" },
            outcome.rawValue,
            hasReceipt ? "1" : nil, fingerprint, reason?.rawValue, opener,
        ]
        let text = Array(
            fields.map { $0 ?? Self.missing }.joined(separator: " ").utf8.prefix(
                Self.recordLength - 1))
        return text
            + [UInt8](repeating: UInt8(ascii: " "), count: Self.recordLength - 1 - text.count) + [
                10
            ]
    }

    static func fields(of record: ArraySlice<UInt8>) -> [Substring] {
        String(decoding: record.dropLast(), as: UTF8.self).split(separator: " ")
    }

    /// Returns the number of a record; 0 if it's damaged, or so great that later ones can't follow.
    static func number(of record: ArraySlice<UInt8>) -> UInt64 {
        let digits = record.dropLast().drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        let number = UInt64(String(decoding: digits, as: UTF8.self)) ?? 0
        return number < 1 << 62 ? number : 0
    }

    /// Parses a record; returns `nil` if it's damaged.
    init?(record: ArraySlice<UInt8>) {
        let fields = Self.fields(of: record)
        let number = Self.number(of: record)
        guard fields.count == 8, number > 0, let began = UInt64(fields[1]), Self.isName(fields[3])
        else { return nil }
        let ended = UInt64(fields[2])
        let reason =
            fields[6] == Self.missing ? nil : PushCryptError.Code(rawValue: String(fields[6]))
        guard ended != nil || fields[2] == Self.missing, reason.map(Self.isCode) != false else {
            return nil
        }
        let opener = fields[7] == Self.missing ? nil : String(fields[7])
        self.init(
            outcome: PushOutcome.Kind(rawValue: String(fields[3])),
            began: Date(millisecondsSince1970: began),
            ended: ended.map { Date(millisecondsSince1970: $0) }, reason: reason,
            hasReceipt: fields[4] == "1",
            fingerprint: fields[5] == Self.missing ? nil : String(fields[5]), opener: opener,
            number: number)
    }

    /// Returns a Boolean value that indicates whether a code is a short word of lower-case letters,
    /// digits and hyphens.
    static func isCode(_ code: PushCryptError.Code) -> Bool { isName(code.rawValue) }

    private static func isName(_ text: some StringProtocol) -> Bool {
        let text = text.utf8
        return !text.isEmpty && text.count <= longestCode
            && text.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
}

extension PushOutcome {
    /// The reason as it's recorded: `other` for a store's or a guard's own code with other text
    /// than codes have.
    var loggedReason: PushCryptError.Code? {
        guard let code = push?.replayGuardFailure?.code ?? failure?.code else { return nil }
        return DeliveryLogEntry.isCode(code) ? code : .other
    }

    /// The name of the foreign opener that has opened the message; `nil` if none has.
    var loggedOpener: String? { push.flatMap { $0.keyID == nil ? $0.account : nil } }
}
