#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A replay guard that lasts: ids of opened messages in a file that the app and its extension share.
///
/// An id leaves when its message would be refused for its age anyway, and the file holds so many ids and no more. What is
/// old is judged by the newest message that was opened, never by the device's clock: a clock that is set ahead makes nothing
/// be forgotten.
///
/// It never holds up a message. Where the file cannot be read, the message is shown without it, and
/// ``OpenedPush/replayGuardFailure`` says why. Its ids are on the disk as soon as the system writes them: a process that is
/// killed loses none, a device that loses its power may lose the last ones.
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
        // Whoever has sealed the newest message may have been ahead of the true time by so much.
        window = Freshness.milliseconds(freshness.maximumAge + freshness.maximumLead)
    }

    /// Notes a message, and refuses it where it was noted before.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - issuedAt: when it was issued.
    /// - Throws: ``PushCryptError`` with `replayed`; or with `fileNotFound`, `fileUnsafe` or `fileTrouble` where the file
    ///   cannot be used, which is not held against the message.
    public func admit(_ id: MessageID, issuedAt: Date) throws {
        // 0 marks a place that is free.
        let issuedAt = max(issuedAt.millisecondsSince1970, 1)
        let wasDamaged = try file.withRecords { (records) throws(PushCryptError) -> Bool in
            guard records.firstIndex(beginningWith: id.bytes) == nil else {
                throw PushCryptError(.replayed, "A message with the id \(id) was already opened here.")
            }
            let place = try makeRoom(in: &records, for: issuedAt)
            try records.write(Self.record(id.bytes, issuedAt), at: place)
            return records.wasDamaged
        }
        if wasDamaged {
            throw PushCryptError(
                .fileTrouble, "\(file.path) was damaged and is begun anew; what was opened before is forgotten.")
        }
    }

    /// Lets go of what is too old, and finds the place for one more.
    private func makeRoom(
        in records: inout RecordFile.Records, for issuedAt: UInt64
    ) throws(PushCryptError) -> Int {
        let times = (0..<records.count).map { records.number(at: MessageID.length, of: $0) }
        let newest = max(times.max() ?? 0, issuedAt)
        let limit = newest > window ? newest - window : 0
        let empty = Self.record([UInt8](repeating: 0, count: MessageID.length), 0)
        for (index, time) in times.enumerated() where time < limit && time != 0 {
            try records.write(empty, at: index)
        }
        if let free = times.firstIndex(where: { $0 < limit || $0 == 0 }) {
            let inUse = (times.lastIndex { $0 >= limit && $0 != 0 } ?? -1) + 1
            if max(inUse, free + 1) < records.count { try records.cut(to: max(inUse, free + 1)) }
            return free
        }
        if records.hasRoom { return records.count }
        return times.indices.min { times[$0] < times[$1] } ?? 0
    }

    private static func record(_ id: [UInt8], _ time: UInt64) -> [UInt8] {
        id + (0..<8).map { UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * $0)) }
    }
}
