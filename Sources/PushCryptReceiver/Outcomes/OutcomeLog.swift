#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What became of the last notifications, in a file that the app and its extension share: so that "the extension did not
/// run" and "it ran and failed" can be told apart.
///
/// It holds times, the word of a reason, the id of a key, and a short hash of the sealed value; never content, a name or a
/// token. It has room for so many notifications, and the newest takes the place of the oldest. Writing never holds up a
/// notification: where the file cannot be written, ``NotificationHandler/Event/outcomeLogFailed(_:)`` says why.
public struct OutcomeLog: Sendable {
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
        file = RecordFile(path, mark: "PCLOG\u{1}\r\n", recordLength: OutcomeRecord.length, capacity: max(capacity, 1))
        self.time = time
    }

    /// What is known, the oldest first.
    ///
    /// - Returns: the entries; none where nothing was logged yet.
    /// - Throws: ``PushCryptError`` with `fileNotFound` where the folder is missing, `fileUnsafe` or `fileTrouble`.
    public func entries() throws(PushCryptError) -> [OutcomeEntry] {
        try file.withRecords { (records) throws(PushCryptError) in Self.read(records) }
            .sorted { $0.number < $1.number }.map(\.entry)
    }

    /// Forgets everything: when the user signs out, or when the entries were reported.
    ///
    /// - Throws: ``PushCryptError`` as ``entries()`` does.
    public func clear() throws(PushCryptError) {
        try file.withRecords { (records) throws(PushCryptError) in try records.cut(to: 0) }
    }

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
        try file.withRecords { (records) throws(PushCryptError) in
            let known = Self.read(records)
            guard !known.contains(where: { $0.entry.fingerprint == fingerprint }) else { return }
            // As long as nothing had to leave, what is not here was never here.
            if !records.hasRoom, let oldest = known.map(\.entry.began).min(), date <= oldest { return }
            let entry = OutcomeEntry(
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
        let entry = OutcomeEntry(
            outcome: .unfinished, began: began, ended: nil, reason: nil, keyID: notification.namedKeyID,
            fingerprint: notification.fingerprint)
        return try file.withRecords { (records) throws(PushCryptError) in
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
        let entry = OutcomeEntry(
            outcome: OutcomeEntry.Outcome(outcome), began: ticket?.began ?? now, ended: now,
            reason: outcome.loggedReason, keyID: notification.namedKeyID, fingerprint: notification.fingerprint)
        try file.withRecords { (records) throws(PushCryptError) in
            guard let ticket, ticket.place < records.count,
                records.number(at: OutcomeRecord.numberOffset, of: ticket.place) == ticket.number
            else {
                try Self.add(entry, &records)
                return
            }
            try records.write(OutcomeRecord(number: ticket.number, entry: entry).bytes, at: ticket.place)
        }
    }

    // MARK: The file

    private static func read(_ records: borrowing RecordFile.Records) -> [OutcomeRecord] {
        (0..<records.count).compactMap { OutcomeRecord(reading: Array(records[$0])) }
    }

    /// Puts an entry behind the last one, or in the place of the oldest.
    @discardableResult
    private static func add(
        _ entry: OutcomeEntry, _ records: inout RecordFile.Records
    ) throws(PushCryptError) -> (number: UInt64, place: Int) {
        let numbers = (0..<records.count).map { records.number(at: OutcomeRecord.numberOffset, of: $0) }
        let number = (numbers.max() ?? 0) &+ 1
        let place = records.hasRoom ? records.count : numbers.indices.min { numbers[$0] < numbers[$1] } ?? 0
        try records.write(OutcomeRecord(number: number, entry: entry).bytes, at: place)
        return (number, place)
    }
}
