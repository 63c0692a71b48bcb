internal import Foundation
package import PushCryptCore
internal import PushCryptKeyring
package import PushCryptSystem

/// A log of the last notifications, which the extension writes and the app reads.
///
/// It shows whether the extension ran, and why a notification displays the fallback. The log
/// contains times, codes and short hashes of sealed values, which are keyed with ``DeviceSecrets``.
/// Before the first unlock it gets times and codes only. It never contains content, names of
/// accounts or tokens.
package struct DeliveryLog: Sendable {
    private let file: RecordFile
    private let secrets: (any DeviceSecretsStore)?
    private let time: any TimeSource

    /// Creates a log without opening the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory.
    ///   - capacity: The number of notifications, 192 bytes each. A new one replaces the oldest.
    ///   - secrets: The device's secrets, which key the hashes; `nil` writes none.
    ///   - lock: The lock of the file.
    ///   - time: The source of the time.
    package init(
        path: String, capacity: Int = 256, secrets: (any DeviceSecretsStore)?,
        lock: RecordFile.Lock = .itself,
        time: any TimeSource = SystemTime()
    ) {
        file = RecordFile(
            path, mark: "PCLOG\u{4}\r\n", recordLength: DeliveryLogEntry.recordLength,
            capacity: max(capacity, 1),
            lock: lock)
        self.secrets = secrets
        self.time = time
    }

    /// Returns the entries, the oldest first.
    func entries() throws(PushCryptError) -> [DeliveryLogEntry] {
        try withRecords { (records) throws(PushCryptError) in Self.read(records) }
            .filter { $0.outcome != .logStarted }
    }

    /// Deletes all entries, after the user has signed out or the app has reported them.
    func clear() throws(PushCryptError) {
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            try Self.add(DeliveryLogEntry(outcome: .logStarted, began: now), at: 0, &records)
            try records.cut(to: 1)
        }
    }

    /// The longest time, in seconds, between the extension's beginning and the system's delivery.
    private static let longestRun: TimeInterval = 30

    /// Records a notification that the app finds displayed, if the extension hasn't seen it, and
    /// corrects the entry of a notification whose extension was ended between its record and its
    /// display.
    ///
    /// A notification that is still sealed and isn't in the log was displayed without the
    /// extension. Older notifications than the log's entries are ignored. The same applies to a
    /// notification that came at the time of an entry without a hash, which was written before the
    /// first unlock.
    func recordDelivered(_ notification: DeliveredNotification, at date: Date)
        throws(PushCryptError)
    {
        guard let fingerprint = fingerprint(of: notification) else { return }
        let now = time.now
        try withRecords { (records) throws(PushCryptError) in
            // Searches damaged records too.
            for index in 0..<records.count
            where DeliveryLogEntry.fields(of: records[index]).contains(where: { $0 == fingerprint })
            {
                try Self.correct(index, by: notification, at: date, &records)
                return
            }
            let entries = Self.read(records)
            // While the log has its first entry, no entry was replaced.
            if let oldest = entries.first, oldest.number > 1 || oldest.outcome == .logStarted,
                date <= oldest.written + Self.longestRun
            {
                return
            }
            guard
                !entries.contains(where: { $0.fingerprint == nil && Self.isRun(of: $0, at: date) })
            else { return }
            try Self.add(
                DeliveryLogEntry(
                    outcome: .notRun, began: date, ended: now, fingerprint: fingerprint), &records)
        }
    }

    /// Records that the extension has begun; the entry remains if the extension is ended early.
    func begin(_ fingerprint: String?) throws(PushCryptError) -> DeliveryLogEntry {
        let entry = DeliveryLogEntry(
            outcome: .unfinished, began: time.now, fingerprint: fingerprint)
        return try withRecords { (records) throws(PushCryptError) in try Self.add(entry, &records) }
    }

    /// Records the outcome, in the entry that ``begin(_:)`` has returned or in a new one.
    func end(
        _ begun: DeliveryLogEntry?, _ fingerprint: String?, outcome: PushOutcome, hasReceipt: Bool
    ) throws(PushCryptError) {
        let now = time.now
        let entry = DeliveryLogEntry(
            outcome: outcome.kind, began: begun?.began ?? now, ended: now,
            reason: outcome.loggedReason,
            hasReceipt: hasReceipt, fingerprint: fingerprint, opener: outcome.loggedOpener,
            number: begun?.number ?? 0)
        try withRecords { (records) throws(PushCryptError) in
            // The number is cheap to read. It isn't enough, because a new log counts from 1 again.
            for index in 0..<records.count
            where DeliveryLogEntry.number(of: records[index]) == begun?.number {
                guard let found = DeliveryLogEntry(record: records[index]),
                    found.outcome == .unfinished,
                    found.fingerprint == begun?.fingerprint
                else { continue }
                try records.write(entry.record, at: index)
                return
            }
            try Self.add(entry, &records)
        }
    }

    /// Returns the keyed hash of a notification's sealed value.
    ///
    /// - Returns: The hash; `nil` if the notification isn't sealed, or if the secrets are missing
    ///   or can't be read, as before the first unlock.
    func fingerprint(of notification: DeliveredNotification) -> String? {
        guard let value = try? notification.sealedValue.get(), let secrets = try? secrets?.read(),
            let hash = try? BLAKE2b.hash(value.text, keyedBy: secrets.logKey)
        else { return nil }
        return Base64URL.encode(Array(hash.prefix(12)))
    }

    /// Returns a Boolean value that indicates whether an entry can be of a notification that came
    /// at a date.
    private static func isRun(of entry: DeliveryLogEntry, at date: Date) -> Bool {
        abs(entry.began.timeIntervalSince(date)) <= longestRun
    }

    /// Corrects an entry: the outcome is recorded before the hand-over, and the extension may be
    /// ended between.
    ///
    /// The receipt isn't authenticated here, because only the diagnosis depends on it.
    private static func correct(
        _ index: Int, by notification: DeliveredNotification, at date: Date,
        _ records: inout RecordFile.Records
    ) throws(PushCryptError) {
        guard var entry = DeliveryLogEntry(record: records[index]), isRun(of: entry, at: date)
        else { return }
        switch (entry.outcome, notification.hasReceiptOfItsText) {
        case (.unfinished, true):
            entry.outcome = .opened
            entry.ended = entry.began
        case (.opened, false) where entry.hasReceipt, (.reduced, false) where entry.hasReceipt,
            (.repeated, false) where entry.hasReceipt:
            entry.outcome = .unfinished
            entry.ended = nil
        default: return
        }
        try records.write(entry.record, at: index)
    }

    // MARK: The file

    private func withRecords<Result>(
        _ body: (inout RecordFile.Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let now = time.now
        return try file.withRecords { (records) throws(PushCryptError) in
            if records.wasDamaged {
                try Self.add(DeliveryLogEntry(outcome: .logStarted, began: now), &records)
            }
            return try body(&records)
        }
    }

    private static func read(_ records: borrowing RecordFile.Records) -> [DeliveryLogEntry] {
        (0..<records.count).compactMap { DeliveryLogEntry(record: records[$0]) }.sorted {
            $0.number < $1.number
        }
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
