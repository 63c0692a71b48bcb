public import PushCryptCore
internal import PushCryptKeyring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A replay guard that lasts: ids of opened messages in a file that the app and its extension share.
///
/// An id leaves when its message would be refused for its age anyway, and the file holds so many ids and no more. What is
/// old is judged by the message that is being opened, never by the device's clock: a clock that is set ahead makes nothing
/// be forgotten, as long as no message from that time is opened.
///
/// It holds up a message for a twentieth of a second at the most. Where the file cannot be used, the message is shown
/// without it, and ``OpenedPush/replayGuardFailure`` says why. A process that is killed loses no id; a device that loses
/// its power may lose the last ones.
public struct FileReplayGuard: ReplayGuard {
    private let file: RecordFile
    private let window: UInt64

    /// The 16 bytes of the id, and 8 of the time, in milliseconds since 1970.
    private static let recordLength = MessageID.length + 8

    /// Names a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: the file, in a folder that exists: in the container of the app group.
    ///   - freshness: the opener's limits; older ids leave.
    ///   - capacity: how many ids are kept at the most, 1 or more, of 24 bytes each; beyond that the oldest leave early.
    public init(path: String, freshness: Freshness = .standard, capacity: Int = 10_000) {
        file = RecordFile(path, mark: "PCIDS\u{1}\r\n", recordLength: Self.recordLength, capacity: max(capacity, 1))
        // Whoever has sealed a message may have been ahead of the device's time by so much. Each in milliseconds, as the
        // opener compares them.
        let (sum, isTooLong) = Freshness.milliseconds(freshness.maximumAge)
            .addingReportingOverflow(Freshness.milliseconds(freshness.maximumLead))
        window = isTooLong ? .max : sum
    }

    /// Notes a message, and refuses it where it was noted before.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - issuedAt: when it was issued.
    /// - Throws: ``PushCryptError`` with `replayed`; or with `fileNotFound`, `insecureFile` or `fileSystemError` where the file
    ///   cannot be used, which is not held against the message.
    public func admit(_ id: MessageID, issuedAt: Date) throws {
        // 0 marks a place that is free.
        let issuedAt = max(issuedAt.millisecondsSince1970, 1)
        let wasDamaged = try file.withRecords { (records) throws(PushCryptError) -> Bool in
            // A free place is no id, not even the one of zeros.
            let known = records.firstIndex(beginningWith: id.bytes) {
                records.number(at: MessageID.length, of: $0) != 0
            }
            guard known == nil else {
                throw PushCryptError(.replayed, "A message with the id \(id) was already opened here.")
            }
            let place = try makeRoom(in: &records, for: issuedAt)
            try records.write(Self.record(id.bytes, issuedAt), at: place)
            return records.wasDamaged
        }
        if wasDamaged {
            throw PushCryptError(
                .fileSystemError, "\(file.path) was damaged and is begun anew; what was opened before is forgotten.")
        }
    }

    /// Lets go of what is too old, and finds the place for one more.
    private func makeRoom(
        in records: inout RecordFile.Records, for issuedAt: UInt64
    ) throws(PushCryptError) -> Int {
        // By this message alone: what the file says may be damaged, or from a time when the clock was wrong.
        let limit = issuedAt > window ? issuedAt - window : 0
        var old: [Int] = []
        var (firstFree, lastUsed, oldest) = (records.count, -1, 0)
        var oldestTime = UInt64.max
        for index in 0..<records.count {
            let time = records.number(at: MessageID.length, of: index)
            if time >= limit, time != 0 {
                lastUsed = index
                if time < oldestTime { (oldest, oldestTime) = (index, time) }
            } else {
                if time != 0 { old.append(index) }
                firstFree = min(firstFree, index)
            }
        }
        guard firstFree < records.count else { return records.hasRoom ? records.count : oldest }
        try records.clear(old)
        let count = max(lastUsed, firstFree) + 1
        if count < records.count { try records.cut(to: count) }
        return firstFree
    }

    private static func record(_ id: [UInt8], _ time: UInt64) -> [UInt8] {
        id + (0..<8).map { UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * $0)) }
    }
}
