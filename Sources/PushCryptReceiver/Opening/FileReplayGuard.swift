public import Foundation
public import PushCryptCore
internal import PushCryptKeyring

/// A replay guard in files that the app and its extension share: one file for each account.
///
/// ```swift
/// let replayGuard = FileReplayGuard(path: "/path/of/the/app/group/pushcrypt.ids")
/// let opener = Opener(keys: store, senderPolicy: policy, replayGuard: replayGuard)
/// ```
///
/// It delays a message by at most about 50 ms. A killed process loses no ID. A loss of power may lose the last ones.
public struct FileReplayGuard: ReplayGuard {
    private let path: String
    private let capacity: Int

    /// Creates a missing file with the platform's attributes.
    package var create: @Sendable (_ path: String) -> Void = { _ in }

    /// The ID and the two times; the first record has the times of forgotten messages twice, because it may be damaged.
    private static let recordLength = MessageID.length + 16

    /// Creates a guard without opening a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory of the app group's container. For an account with a name,
    ///     a hash of the name is appended.
    ///   - capacity: The greatest number of messages for each account, 32 bytes each, at most 100,000. Beyond it, the oldest
    ///     ones leave early, and even older messages are rejected.
    public init(path: String, capacity: Int = 10_000) { (self.path, self.capacity) = (path, capacity) }

    /// Records a message, or rejects it.
    ///
    /// - Throws: ``PushCryptError`` with `replayed` or `possiblyReplayed`; `invalidConfiguration` for another capacity; or
    ///   `lockTimeout`, `fileNotFound`, `insecureFile` or `fileSystemError` if the file can't be used.
    public func admit(_ id: MessageID, account: String, issuedAt: Date, expiration: Date, now: Date) throws {
        var path = path
        if !account.isEmpty {
            let hash = try SHA256.hash(Array("pushcrypt/v1/account:\(account)".utf8)).array
            path += ".\(Base64URL.encode(Array(hash.prefix(12))))"
        }
        create(path)
        let file = RecordFile(
            path, mark: "PCIDS\u{2}\r\n", recordLength: Self.recordLength, capacity: min(max(capacity, 1), 100_000) + 1)
        let wasDamaged = try file.withRecords { (records) throws(PushCryptError) -> Bool in
            if records.count == 0 { try records.write([UInt8](repeating: 0, count: Self.recordLength), at: 0) }
            let known = records.firstIndex(beginningWith: id.bytes) { index in
                index > 0 && Self.times(in: records, at: index) != ReplayTimes()
            }
            guard known == nil else { throw Self.replayed(id) }
            let before = Self.forgotten(in: records)
            let times = ReplayTimes.of(issuedAt, expiration)
            var forgotten = before
            let index = try forgotten.place(for: times, among: records.count - 1, capacity: capacity, now: now) {
                index in
                Self.times(in: records, at: index + 1)
            }
            // First, because a process may be killed between the two.
            if forgotten != before {
                try records.write(Self.record(Self.record([], forgotten), forgotten), at: 0)
            }
            try records.write(Self.record(id.bytes, times), at: index + 1)
            return records.wasDamaged
        }
        if wasDamaged {
            throw PushCryptError(
                .fileSystemError, "\(path) was damaged and is empty now. Messages from before may open again.")
        }
    }

    // MARK: Records

    private static func record(_ start: [UInt8], _ times: ReplayTimes) -> [UInt8] {
        var record = start + [UInt8](repeating: 0, count: 16)
        record.store(bigEndian: times.issued, at: start.count)
        record.store(bigEndian: times.expiration, at: start.count + 8)
        return record
    }

    private static func times(
        in records: borrowing RecordFile.Records, at index: Int, offset: Int = MessageID.length
    ) -> ReplayTimes {
        ReplayTimes(
            issued: records.number(at: offset, of: index), expiration: records.number(at: offset + 8, of: index))
    }

    /// The lesser ones of both copies, because damage must not reject new messages.
    private static func forgotten(in records: borrowing RecordFile.Records) -> ReplayTimes {
        let (first, second) = (times(in: records, at: 0, offset: 0), times(in: records, at: 0))
        return ReplayTimes(
            issued: min(first.issued, second.issued), expiration: min(first.expiration, second.expiration))
    }
}
