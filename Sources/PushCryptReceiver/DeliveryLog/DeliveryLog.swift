public import PushCryptCore
internal import PushCryptKeyring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What became of the last notifications, in a file that the app and its extension share: so that "the extension did not
/// run" and "it ran and failed" can be told apart.
///
/// It holds times, the word of a reason, the id of a key, and a short hash of the sealed value; never content, a name or a
/// token. It has room for so many notifications, and the newest takes the place of the oldest. Writing holds up a
/// notification for a twentieth of a second at the most: where the file cannot be written by then,
/// ``NotificationHandler/Event/outcomeLogFailed(_:)`` says why.
public struct DeliveryLog: Sendable {
    private let file: RecordFile
    private let time: any TimeSource

    /// Names a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: the file, in a folder that exists: in the container of the app group.
    ///   - capacity: how many notifications are kept, 1 or more, of 96 bytes each.
    ///   - time: where the time comes from.
    public init(path: String, capacity: Int = 256, time: any TimeSource = SystemTime()) {
        file = RecordFile(path, mark: "PCLOG\u{1}\r\n", recordLength: DeliveryRecord.length, capacity: max(capacity, 1))
        self.time = time
    }

    /// What is known, the oldest first.
    ///
    /// - Returns: the entries; none where nothing was logged yet.
    /// - Throws: ``PushCryptError`` with `fileNotFound` where the folder is missing, `insecureFile` or `fileSystemError`.
    public func entries() throws(PushCryptError) -> [DeliveryLogEntry] {
        try withRecords { (records) throws(PushCryptError) in Self.read(records) }
            .sorted { $0.number < $1.number }.compactMap(\.entry)
    }

    /// Forgets everything: when the user signs out, or when the entries were reported.
    ///
    /// What was delivered before is not judged by ``note(_:deliveredAt:)`` any more.
    ///
    /// - Throws: ``PushCryptError`` as ``entries()`` does.
    public func clear() throws(PushCryptError) {
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            let number = Self.nextNumber(records)
            try records.write(DeliveryRecord(number: number, beginningAt: now).bytes, at: 0)
            try records.cut(to: 1)
        }
    }

    /// For how long the extension may have been at a notification when the system delivers it.
    private static let longestRun: TimeInterval = 30

    /// Notes what the app finds delivered, and whether the extension has seen it.
    ///
    /// Call it with the notifications that the system shows for the app, on a tap, or in the foreground. One that is still
    /// sealed, and that the log does not know, was shown without the extension. What may have left the log is not judged.
    ///
    /// - Parameters:
    ///   - notification: what was delivered.
    ///   - date: when the system delivered it.
    /// - Throws: ``PushCryptError`` as ``entries()`` does.
    public func note(_ notification: DeliveredNotification, deliveredAt date: Date) throws(PushCryptError) {
        guard let fingerprint = notification.fingerprint else { return }
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            // Also in a record that is damaged elsewhere.
            guard !(0..<records.count).contains(where: { DeliveryRecord.fingerprint(of: records[$0]) == fingerprint })
            else { return }
            // As long as the first record is there, nothing had to leave, and what is not here was never here.
            if let oldest = Self.read(records).min(by: { $0.number < $1.number }),
                oldest.number > 1 || oldest.entry == nil,
                date <= oldest.written + Self.longestRun
            {
                return
            }
            let entry = DeliveryLogEntry(
                outcome: .notRun, began: date, ended: now, reason: nil, keyID: nil, fingerprint: fingerprint)
            try Self.add(entry, &records)
        }
    }

    // MARK: The extension's part

    /// A notification that was begun.
    struct Ticket: Sendable {
        fileprivate let number: UInt64
        fileprivate let place: Int
        fileprivate let began: Date
    }

    /// Notes that the extension has begun with a notification: if it is killed, that stays.
    func begin(_ notification: DeliveredNotification) throws(PushCryptError) -> Ticket {
        let began = time.now
        let entry = DeliveryLogEntry(
            outcome: .unfinished, began: began, ended: nil, reason: nil, keyID: notification.namedKeyID,
            fingerprint: notification.fingerprint)
        return try withRecords { (records) throws(PushCryptError) in
            let (number, place) = try Self.add(entry, &records)
            return Ticket(number: number, place: place, began: began)
        }
    }

    /// Notes how it ended.
    ///
    /// - Parameters:
    ///   - ticket: what ``begin(_:)`` has returned; `nil` where it has failed.
    ///   - notification: what was delivered.
    ///   - outcome: how it ended.
    /// - Throws: ``PushCryptError`` as ``entries()`` does.
    func end(
        _ ticket: Ticket?, _ notification: DeliveredNotification, _ outcome: NotificationOutcome
    ) throws(PushCryptError) {
        let now = time.now
        let entry = DeliveryLogEntry(
            outcome: DeliveryLogEntry.Outcome(outcome), began: ticket?.began ?? now, ended: now,
            reason: outcome.loggedReason, keyID: notification.namedKeyID, fingerprint: notification.fingerprint)
        try withRecords { (records) throws(PushCryptError) in
            // The place may have been given to another, also by a log that was begun anew and counts from 1 again.
            guard let ticket, ticket.place < records.count,
                let begun = DeliveryRecord(reading: Array(records[ticket.place])), begun.number == ticket.number,
                begun.entry?.outcome == .unfinished, begun.entry?.fingerprint == entry.fingerprint
            else {
                try Self.add(entry, &records)
                return
            }
            try records.write(DeliveryRecord(number: ticket.number, entry: entry).bytes, at: ticket.place)
        }
    }

    // MARK: The file

    private func withRecords<Result>(
        _ body: (inout RecordFile.Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let now = time.now
        return try file.withRecords { (records) throws(PushCryptError) in
            if records.wasDamaged { try records.write(DeliveryRecord(number: 1, beginningAt: now).bytes, at: 0) }
            return try body(&records)
        }
    }

    private static func read(_ records: borrowing RecordFile.Records) -> [DeliveryRecord] {
        (0..<records.count).compactMap { DeliveryRecord(reading: Array(records[$0])) }
    }

    /// Puts an entry behind the last one, or in the place of the oldest.
    @discardableResult
    private static func add(
        _ entry: DeliveryLogEntry, _ records: inout RecordFile.Records
    ) throws(PushCryptError) -> (number: UInt64, place: Int) {
        let number = nextNumber(records)
        let numbers = (0..<records.count).map { DeliveryRecord.number(of: $0, in: records) }
        let place = records.hasRoom ? records.count : numbers.indices.min { numbers[$0] < numbers[$1] } ?? 0
        try records.write(DeliveryRecord(number: number, entry: entry).bytes, at: place)
        return (number, place)
    }

    private static func nextNumber(_ records: borrowing RecordFile.Records) -> UInt64 {
        var last: UInt64 = 0
        for index in 0..<records.count { last = max(last, DeliveryRecord.number(of: index, in: records)) }
        return last + 1
    }
}
