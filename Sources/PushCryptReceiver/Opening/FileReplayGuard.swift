public import Foundation
public import PushCryptCore
internal import PushCryptKeyring

/// A replay guard in a file that the app and its extension share.
///
/// ```swift
/// let replayGuard = FileReplayGuard(path: "/path/of/the/app/group/pushcrypt.ids")
/// let opener = Opener(keys: store, senderPolicy: policy, replayGuard: replayGuard)
/// ```
///
/// The guard forgets an ID when its message would be rejected for its age. It judges the age by the message that is being
/// opened and never by the device's clock.
///
/// It delays a message by at most about 50 ms. If the file can't be used, the message is shown anyway, and
/// ``OpenedPush/replayGuardFailure`` has the reason. A killed process loses no ID. A loss of power may lose the last ones.
public struct FileReplayGuard: ReplayGuard {
    private let file: RecordFile
    private let window: UInt64

    /// The 16 bytes of the ID, and 8 bytes of the time in milliseconds since 1970.
    private static let recordLength = MessageID.length + 8

    /// Creates a guard without opening the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory of the app group's container.
    ///   - freshness: The opener's limits. The guard forgets older IDs.
    ///   - capacity: The greatest number of IDs, 24 bytes each. Beyond it, the oldest ones leave early.
    public init(path: String, freshness: Freshness = .standard, capacity: Int = 10_000) {
        file = RecordFile(path, mark: "PCIDS\u{1}\r\n", recordLength: Self.recordLength, capacity: max(capacity, 1))
        // A sender's clock may have been ahead by the maximum lead.
        window = freshness.maximumAge(lifetime: .max) + freshness.maximumLead
    }

    /// Records a message, or rejects it if it's known.
    ///
    /// - Throws: ``PushCryptError`` with `replayed`; or `fileNotFound`, `insecureFile` or `fileSystemError` if the file can't
    ///   be used. The message opens in spite of a file error.
    public func admit(_ id: MessageID, issuedAt: Date) throws {
        // 0 marks a free record.
        let issuedAt = max(issuedAt.millisecondsSince1970, 1)
        let wasDamaged = try file.withRecords { (records) throws(PushCryptError) -> Bool in
            let known = records.firstIndex(beginningWith: id.bytes) {
                records.number(at: MessageID.length, of: $0) != 0
            }
            guard known == nil else { throw Self.replayed(id) }
            let index = try makeRoom(in: &records, for: issuedAt)
            let time = (0..<8).map { UInt8(truncatingIfNeeded: issuedAt >> UInt64(56 - 8 * $0)) }
            try records.write(id.bytes + time, at: index)
            return records.wasDamaged
        }
        if wasDamaged {
            throw PushCryptError(
                .fileSystemError, "\(file.path) was damaged and is empty now. Messages from before may open again.")
        }
    }

    /// Removes expired records, and returns the index for a new one.
    private func makeRoom(
        in records: inout RecordFile.Records, for issuedAt: UInt64
    ) throws(PushCryptError) -> Int {
        // Only this message decides: the file may be damaged, or from a time when the clock was wrong.
        let limit = issuedAt > window ? issuedAt - window : 0
        var expired: [Int] = []
        var (firstFree, lastUsed, oldest) = (records.count, -1, 0)
        var oldestTime = UInt64.max
        for index in 0..<records.count {
            let time = records.number(at: MessageID.length, of: index)
            if time >= limit, time != 0 {
                lastUsed = index
                if time < oldestTime { (oldest, oldestTime) = (index, time) }
            } else {
                if time != 0 { expired.append(index) }
                firstFree = min(firstFree, index)
            }
        }
        guard firstFree < records.count else { return records.hasRoom ? records.count : oldest }
        try records.clear(expired)
        let count = max(lastUsed, firstFree) + 1
        if count < records.count { try records.cut(to: count) }
        return firstFree
    }
}
