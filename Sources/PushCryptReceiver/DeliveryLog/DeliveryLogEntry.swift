package import Foundation
package import PushCryptCore

/// The record of one notification.
package struct DeliveryLogEntry: Sendable, Hashable {
    /// The outcome of a notification, by its name in the file.
    package enum Outcome: String, Sendable, CaseIterable {
        /// The extension has begun and not finished: the system ended it, it crashed, or it still runs.
        case unfinished
        /// The original is displayed.
        case opened
        /// The original is displayed again, silently, because its push came twice.
        case repeated
        /// The message was opened and isn't displayed, by the app's decision or because of a withdrawal.
        case dropped
        /// The payload wasn't sealed, and is displayed because the app allows it.
        case unsealed
        /// The fallback is displayed.
        case fallback
        /// The extension didn't run: the app found the notification displayed, but not in the log.
        case notRun = "not-run"
        /// The log was cleared or damaged, so that nothing is known about earlier notifications.
        case logStarted = "log-started"
    }

    package internal(set) var outcome: Outcome
    /// The time at which the extension began, or at which the system delivered a notification that the extension didn't
    /// see.
    package let began: Date
    /// The time at which the content was handed over, or the app found it; `nil` if the entry is unfinished.
    package var ended: Date?
    /// The reason for the fallback; or `replayGuardUnavailable` if a message was opened without its guard.
    package var reason: PushCryptError.Code?
    /// A Boolean value that indicates whether the extension has left a receipt in the notification.
    package internal(set) var hasReceipt = false
    /// A short keyed hash of the sealed value in base64url; `nil` before the first unlock.
    package internal(set) var fingerprint: String?
    /// The position in the log, from 1.
    var number: UInt64 = 0

    /// The time after which no earlier entry can follow in the log.
    var written: Date { outcome == .notRun ? ended ?? began : began }
}

// The record in the file: number, beginning, end, outcome, receipt (1), fingerprint and reason, separated by spaces and
// padded to 160 bytes of ASCII. Times are milliseconds since 1970; a missing value is a dot.
extension DeliveryLogEntry {
    static let recordLength = 160
    static let longestCode = 53
    private static let missing = "."

    var record: [UInt8] {
        let fields = [
            "\(number)", "\(began.millisecondsSince1970)", ended.map { "\($0.millisecondsSince1970)" },
            outcome.rawValue,
            hasReceipt ? "1" : nil, fingerprint, reason?.rawValue,
        ]
        let text = Array(fields.map { $0 ?? Self.missing }.joined(separator: " ").utf8.prefix(Self.recordLength - 1))
        return text + [UInt8](repeating: UInt8(ascii: " "), count: Self.recordLength - 1 - text.count) + [10]
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
        guard fields.count == 7, number > 0, let began = UInt64(fields[1]),
            let outcome = Outcome(rawValue: String(fields[3]))
        else { return nil }
        let ended = UInt64(fields[2])
        let reason = fields[6] == Self.missing ? nil : PushCryptError.Code(rawValue: String(fields[6]))
        guard ended != nil || fields[2] == Self.missing, reason.map(Self.isCode) != false else { return nil }
        self.init(
            outcome: outcome, began: Date(millisecondsSince1970: began),
            ended: ended.map { Date(millisecondsSince1970: $0) }, reason: reason,
            hasReceipt: fields[4] == "1",
            fingerprint: fields[5] == Self.missing ? nil : String(fields[5]), number: number)
    }

    /// Returns a Boolean value that indicates whether a code is a short word of lower-case letters, digits and hyphens.
    static func isCode(_ code: PushCryptError.Code) -> Bool {
        let text = code.rawValue.utf8
        return !text.isEmpty && text.count <= longestCode
            && text.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
}

extension NotificationOutcome {
    /// The outcome as it's recorded.
    var logged: DeliveryLogEntry.Outcome {
        if push != nil { return isDropped ? .dropped : isRepeated ? .repeated : .opened }
        return failure == nil ? .unsealed : .fallback
    }

    /// The reason as it's recorded: `other` for a store's or a guard's own code with other text than codes have.
    var loggedReason: PushCryptError.Code? {
        guard let code = push?.replayGuardFailure?.code ?? failure?.code else { return nil }
        return DeliveryLogEntry.isCode(code) ? code : .other
    }
}
