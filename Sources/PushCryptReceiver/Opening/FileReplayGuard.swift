public import Foundation
public import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

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

    /// Creates a guard without opening a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory of the app group's container. For an account with a
    ///     name, a hash of the name is appended.
    ///   - capacity: The greatest number of messages for each account, 32 bytes each, at most 100,000. Beyond it, the
    ///     oldest ones leave early, and even older messages are rejected.
    public init(path: String, capacity: Int = 10_000) {
        self.path = path
        self.capacity = capacity
    }

    /// Records a message, or rejects it.
    ///
    /// - Throws: ``PushCryptError`` with `replayed` or `possiblyReplayed`; `invalidConfiguration` for another capacity;
    ///   or `lockTimeout`, `fileNotFound`, `insecureFile` or `fileSystemError` if the file can't be used.
    public func admit(_ id: MessageID, account: String, issuedAt: Date, expiration: Date, now: Date) throws {
        let path = try path(of: account)
        create(path)
        let file = RecordFile(
            path, mark: "PCIDS\u{2}\r\n", recordLength: Entry.length,
            capacity: min(max(capacity, 1), 100_000) + Entry.firstIndex)
        let wasDamaged = try file.withRecords { (records) throws(PushCryptError) -> Bool in
            try admit(id, ReplayTimes.of(issuedAt, expiration), now: now, in: &records)
            return records.wasDamaged
        }
        if wasDamaged {
            throw PushCryptError(
                .fileSystemError, "\(path) was damaged and is empty now. Messages from before may open again.")
        }
    }

    private func path(of account: String) throws(PushCryptError) -> String {
        guard !account.isEmpty else { return path }
        let hash = try SHA256.hash(Array("pushcrypt/v1/account:\(account)".utf8)).array
        return "\(path).\(Base64URL.encode(Array(hash.prefix(12))))"
    }

    private func admit(
        _ id: MessageID, _ times: ReplayTimes, now: Date, in records: inout RecordFile.Records
    ) throws(PushCryptError) {
        if records.count == 0 { try records.write(Header(forgotten: ReplayTimes()).bytes, at: Header.index) }
        let known = records.firstIndex(beginningWith: id.bytes) { index in
            index >= Entry.firstIndex && Entry.times(in: records, at: index) != ReplayTimes()
        }
        guard known == nil else { throw Self.replayed(id) }
        let header = Header(reading: records)
        var forgotten = header.forgotten
        let place = try forgotten.place(
            for: times, among: records.count - Entry.firstIndex, capacity: capacity, now: now
        ) { place in
            Entry.times(in: records, at: place + Entry.firstIndex)
        }
        // The header first, because the process may be killed between the two.
        if forgotten != header.forgotten { try records.write(Header(forgotten: forgotten).bytes, at: Header.index) }
        try records.write(Entry(id: id, times: times).bytes, at: place + Entry.firstIndex)
    }

    // MARK: Records

    /// The record of an opened message: its ID and its times.
    private struct Entry {
        static let length = MessageID.length + ReplayTimes.length
        /// The index of the first entry, after the header.
        static let firstIndex = Header.index + 1

        let id: MessageID
        let times: ReplayTimes

        var bytes: [UInt8] { id.bytes + times.bytes }

        /// Returns the times of an entry; zeros if damage has removed it.
        static func times(in records: borrowing RecordFile.Records, at index: Int) -> ReplayTimes {
            ReplayTimes(reading: records, at: MessageID.length, of: index)
        }
    }

    /// The first record: the times of forgotten messages, twice because it may be damaged.
    private struct Header {
        static let index = 0

        let forgotten: ReplayTimes

        init(forgotten: ReplayTimes) { self.forgotten = forgotten }

        /// Reads the earlier times of both copies, because damage must not reject new messages.
        init(reading records: borrowing RecordFile.Records) {
            let first = ReplayTimes(reading: records, at: 0, of: Self.index)
            let second = ReplayTimes(reading: records, at: ReplayTimes.length, of: Self.index)
            forgotten = ReplayTimes(
                issued: min(first.issued, second.issued), expiration: min(first.expiration, second.expiration))
        }

        var bytes: [UInt8] { forgotten.bytes + forgotten.bytes }
    }
}

extension ReplayTimes {
    /// The number of bytes of both times.
    fileprivate static let length = 16

    /// Both times as big-endian integers.
    fileprivate var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        bytes.store(bigEndian: issued, at: 0)
        bytes.store(bigEndian: expiration, at: 8)
        return bytes
    }

    /// Reads both times at an offset of a record.
    fileprivate init(reading records: borrowing RecordFile.Records, at offset: Int, of index: Int) {
        issued = records.number(at: offset, of: index)
        expiration = records.number(at: offset + 8, of: index)
    }
}
