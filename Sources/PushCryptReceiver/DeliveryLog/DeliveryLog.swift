package import Foundation
public import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

/// A log of the last notifications in a file that the app and its extension share.
///
/// It shows whether the extension ran, and why a notification displays the fallback:
///
/// ```swift
/// let log = DeliveryLog(path: "/path/of/the/app/group/pushcrypt.outcomes")
/// for diagnosis in try log.summary().diagnoses {
///     print(diagnosis.finding, diagnosis.count, diagnosis.advice)
/// }
/// ```
///
/// The log contains times, codes, the IDs of keys and short hashes of sealed values. It never contains content, names
/// or tokens. Writing delays a notification by at most about 50 ms.
public struct DeliveryLog: Sendable {
    private let file: RecordFile
    private let time: any TimeSource

    /// Creates a log without opening the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory of the app group's container.
    ///   - capacity: The number of notifications, 160 bytes each. A new one replaces the oldest.
    ///   - time: The source of the time.
    public init(path: String, capacity: Int = 256, time: any TimeSource = SystemTime()) {
        file = RecordFile(
            path, mark: "PCLOG\u{2}\r\n", recordLength: DeliveryLogEntry.recordLength, capacity: max(capacity, 1))
        self.time = time
    }

    /// Returns counts of the notifications, except for those that have begun within the last minute.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound` if the directory is missing, `insecureFile`, `lockTimeout` or
    ///   `fileSystemError`.
    public func summary() throws(PushCryptError) -> DeliverySummary { DeliverySummary(try entries(), now: time.now) }

    /// Returns the entries, the oldest first.
    package func entries() throws(PushCryptError) -> [DeliveryLogEntry] {
        try withRecords { (records) throws(PushCryptError) in Self.read(records) }
            .filter { $0.outcome != .logStarted }
    }

    /// Deletes all entries, after the user has signed out or the app has reported them.
    ///
    /// - Throws: ``PushCryptError`` as ``summary()`` does.
    public func clear() throws(PushCryptError) {
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            try Self.add(DeliveryLogEntry(outcome: .logStarted, began: now), at: 0, &records)
            try records.cut(to: 1)
        }
    }

    /// The longest time, in seconds, between the extension's beginning and the system's delivery.
    private static let longestRun: TimeInterval = 30

    /// Records a notification that the app finds displayed, if the extension hasn't seen it.
    ///
    /// A notification that is still sealed and isn't in the log was displayed without the extension. Older
    /// notifications than the log's entries are ignored.
    package func recordDelivered(_ notification: DeliveredNotification, at date: Date) throws(PushCryptError) {
        guard let fingerprint = notification.fingerprint else { return }
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            // Searches damaged records too.
            for index in 0..<records.count
            where DeliveryLogEntry.fields(of: records[index]).contains(where: { $0 == fingerprint }) {
                return
            }
            // While the log has its first entry, no entry was replaced.
            if let oldest = Self.read(records).first, oldest.number > 1 || oldest.outcome == .logStarted,
                date <= oldest.written + Self.longestRun
            {
                return
            }
            try Self.add(
                DeliveryLogEntry(outcome: .notRun, began: date, ended: now, fingerprint: fingerprint), &records)
        }
    }

    /// Records that the extension has begun; the entry remains if the extension is ended early.
    func begin(_ notification: DeliveredNotification) throws(PushCryptError) -> DeliveryLogEntry {
        let entry = DeliveryLogEntry(
            outcome: .unfinished, began: time.now, keyID: notification.namedKeyID, fingerprint: notification.fingerprint
        )
        return try withRecords { (records) throws(PushCryptError) in try Self.add(entry, &records) }
    }

    /// Records the outcome, in the entry that ``begin(_:)`` has returned or in a new one.
    func end(
        _ begun: DeliveryLogEntry?, _ notification: DeliveredNotification, outcome: NotificationOutcome
    ) throws(PushCryptError) {
        let now = time.now
        let entry = DeliveryLogEntry(
            outcome: outcome.logged, began: begun?.began ?? now, ended: now, reason: outcome.loggedReason,
            keyID: notification.namedKeyID, fingerprint: notification.fingerprint, number: begun?.number ?? 0)
        try withRecords { (records) throws(PushCryptError) in
            // The number is cheap to read. It isn't enough, because a new log counts from 1 again.
            for index in 0..<records.count where DeliveryLogEntry.number(of: records[index]) == begun?.number {
                guard let found = DeliveryLogEntry(record: records[index]), found.outcome == .unfinished,
                    found.fingerprint == begun?.fingerprint
                else { continue }
                try records.write(entry.record, at: index)
                return
            }
            try Self.add(entry, &records)
        }
    }

    // MARK: The file

    private func withRecords<Result>(
        _ body: (inout RecordFile.Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let now = time.now
        return try file.withRecords { (records) throws(PushCryptError) in
            if records.wasDamaged { try Self.add(DeliveryLogEntry(outcome: .logStarted, began: now), &records) }
            return try body(&records)
        }
    }

    private static func read(_ records: borrowing RecordFile.Records) -> [DeliveryLogEntry] {
        (0..<records.count).compactMap { DeliveryLogEntry(record: records[$0]) }.sorted { $0.number < $1.number }
    }

    /// Writes an entry with the next number: at an index, after the last entry, or over the oldest.
    @discardableResult
    private static func add(
        _ entry: DeliveryLogEntry, at index: Int? = nil, _ records: inout RecordFile.Records
    ) throws(PushCryptError) -> DeliveryLogEntry {
        let numbers = (0..<records.count).map { DeliveryLogEntry.number(of: records[$0]) }
        let oldest = numbers.indices.min { numbers[$0] < numbers[$1] } ?? 0
        var entry = entry
        entry.number = (numbers.max() ?? 0) + 1
        try records.write(entry.record, at: index ?? (records.hasRoom ? records.count : oldest))
        return entry
    }
}
