internal import Foundation
internal import PushCryptCore
internal import PushCryptSystem

/// The record of an opened message in the file of a ``FileReplayGuard``: its ID, its times and the
/// time of its admission.
struct ReplayRecord {
    static let length = MessageID.length + ReplayTimes.length + 8
    /// The index of the first record, after the header.
    static let firstIndex = ReplayFileHeader.copies

    let id: MessageID
    let times: ReplayTimes
    /// The time of the admission, in milliseconds since 1970.
    let admitted: UInt64

    var bytes: [UInt8] {
        var bytes = id.bytes + times.bytes + [UInt8](repeating: 0, count: 8)
        bytes.store(bigEndian: admitted, at: Self.length - 8)
        return bytes
    }

    /// Returns the times of a record; zeros if damage has removed it.
    static func times(in records: borrowing RecordFile.Records, at index: Int) -> ReplayTimes {
        ReplayTimes(reading: records, at: MessageID.length, of: index)
    }

    static func admitted(in records: borrowing RecordFile.Records, at index: Int) -> UInt64 {
        records.number(at: length - 8, of: index)
    }
}

/// The header of the file: the epoch, the beginning of the file, and the times of forgotten
/// messages.
///
/// It's there twice, in two records, because one may be damaged.
struct ReplayFileHeader {
    /// The number of records with the header.
    static let copies = 2

    /// The epoch; `nil` in a file of an app without secrets.
    var epoch: StoreEpoch?

    /// The time before which messages may have been forgotten with an earlier file, in milliseconds
    /// since 1970.
    var start: UInt64 = 0

    /// The latest times of the messages that this file has forgotten.
    var forgotten = ReplayTimes()

    var startDate: Date { Date(millisecondsSince1970: start) }

    init() {}

    /// Reads the header; returns `nil` if the file is new.
    ///
    /// A copy with another epoch than the expected one is damaged if the other copy has it. Of
    /// both, the earlier times count, because damage must not reject new messages. The later
    /// beginning counts, unless it's in the future.
    init?(reading records: borrowing RecordFile.Records, expecting epoch: StoreEpoch?, now: Date) {
        guard records.count >= Self.copies else { return nil }
        var first = ReplayFileHeader(reading: records, at: 0)
        var second = ReplayFileHeader(reading: records, at: 1)
        if let epoch {
            if first.epoch != epoch, second.epoch == epoch { first = second }
            if second.epoch != epoch, first.epoch == epoch { second = first }
        }
        self.epoch = first.epoch
        let starts = [first.start, second.start]
        start =
            starts.filter { $0 <= now.millisecondsSince1970 }.max()
            ?? min(first.start, second.start)
        forgotten = ReplayTimes(
            issued: min(first.forgotten.issued, second.forgotten.issued),
            expiration: min(first.forgotten.expiration, second.forgotten.expiration))
    }

    private init(reading records: borrowing RecordFile.Records, at index: Int) {
        epoch = StoreEpoch(stored: records[index].prefix(StoreEpoch.length))
        start = records.number(at: StoreEpoch.length, of: index)
        forgotten = ReplayTimes(reading: records, at: StoreEpoch.length + 8, of: index)
    }

    func write(to records: inout RecordFile.Records) throws(PushCryptError) {
        var bytes = StoreEpoch.bytes(epoch) + [UInt8](repeating: 0, count: 8)
        bytes.store(bigEndian: start, at: StoreEpoch.length)
        for index in 0..<Self.copies { try records.write(bytes + forgotten.bytes, at: index) }
    }
}

extension ReplayTimes {
    /// The number of bytes of both times.
    static let length = 16

    /// Both times as big-endian integers.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        bytes.store(bigEndian: issued, at: 0)
        bytes.store(bigEndian: expiration, at: 8)
        return bytes
    }

    /// Reads both times at an offset of a record.
    init(reading records: borrowing RecordFile.Records, at offset: Int, of index: Int) {
        issued = records.number(at: offset, of: index)
        expiration = records.number(at: offset + 8, of: index)
    }
}
