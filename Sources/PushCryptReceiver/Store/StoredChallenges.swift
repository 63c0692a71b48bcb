internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The visible challenges that an extension has opened, in a file that the app and its extension
/// share.
///
/// An extension sends nothing to the server. It stores the sealed value, and the registrar answers
/// it at the app's next launch. The file has the newest eight values. Only the device's keys open
/// them.
struct StoredChallenges: Sendable {
    private let file: RecordFile

    private static let capacity = 8
    /// The room for a sealed value, which is shorter than the longest payload.
    private static let textLength = 4096
    private static let recordLength = 8 + 2 + textLength

    /// Creates a list without opening the file.
    init(path: String, lock: RecordFile.Lock = .itself) {
        file = RecordFile(
            path, mark: "PCCHL\u{1}\r\n", recordLength: Self.recordLength, capacity: Self.capacity,
            lock: lock)
    }

    /// Stores the sealed value of a challenge, over the oldest one if the list is full.
    ///
    /// A value that comes again keeps its time, so that a repetition isn't the newest one.
    func add(_ value: SealedValue, at now: Date) throws(PushCryptError) {
        guard value.text.count <= Self.textLength else { return }
        var record = [UInt8](repeating: 0, count: Self.recordLength)
        record.store(bigEndian: now.millisecondsSince1970, at: 0)
        record.store(bigEndian: UInt16(value.text.count), at: 8)
        record.replaceSubrange(10..<10 + value.text.count, with: value.text)
        try file.withRecords { (records) throws(PushCryptError) in
            let texts = (0..<records.count).map { Self.text(of: records[$0]) }
            let times = (0..<records.count).map { records.number(at: 0, of: $0) }
            guard !texts.contains(value.text) else { return }
            let oldest = times.indices.min { times[$0] < times[$1] } ?? 0
            try records.write(record, at: records.hasRoom ? records.count : oldest)
        }
    }

    /// Returns the sealed values that were stored since a date, the newest first.
    ///
    /// Older ones belong to an earlier registration.
    func values(since date: Date) throws(PushCryptError) -> [SealedValue] {
        let start = date.millisecondsSince1970
        var values: [(time: UInt64, value: SealedValue)] = []
        try file.withRecords { (records) throws(PushCryptError) in
            values = (0..<records.count).map { index in
                (records.number(at: 0, of: index), SealedValue(text: Self.text(of: records[index])))
            }
        }
        return values.filter { !$0.value.text.isEmpty && $0.time >= start }.sorted {
            $1.time < $0.time
        }.map(\.value)
    }

    /// Removes a value after the server has confirmed its answer.
    func remove(_ value: SealedValue) throws(PushCryptError) {
        try file.withRecords { (records) throws(PushCryptError) in
            for index in 0..<records.count where Self.text(of: records[index]) == value.text {
                try records.write([UInt8](repeating: 0, count: Self.recordLength), at: index)
            }
        }
    }

    /// Returns the text of a record; empty for a removed or a damaged one.
    private static func text(of record: ArraySlice<UInt8>) -> [UInt8] {
        let record = Array(record)
        let length = Int(UInt16(bigEndianBytes: record.span, at: 8))
        return length <= textLength ? Array(record[10..<10 + length]) : []
    }
}
