public import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

/// A replay guard in files that the app and its extension share: one file for each account.
///
/// ```swift
/// let replayGuard = FileReplayGuard(path: "/path/of/the/app/group/pushcrypt.ids")
/// let opener = Opener(keys: store, senderPolicy: policy, replayGuard: replayGuard)
/// ```
///
/// It delays a message by at most about 50 ms. A killed process loses no ID. A loss of power may
/// lose the last ones.
///
/// With ``DeviceSecrets``, the files carry their epoch. A file that was deleted, or that comes from
/// another device, lacks it. The guard then rejects messages from before that moment as
/// `possiblyReplayed`, except those to keys that are newer. An older copy of the same file isn't
/// recognized, so the file must not be in backups.
public struct FileReplayGuard: ReplayGuard {
    private let path: String
    private let capacity: Int
    private let secrets: (any DeviceSecretsStore)?
    private let lock: RecordFile.Lock

    /// Creates a missing file with the platform's attributes.
    var create: @Sendable (_ path: String) -> Void = { _ in }

    /// Creates a guard without opening a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in an existing directory of the app group's container. For
    ///     an account with a name, a hash of the name is appended.
    ///   - capacity: The greatest number of messages for each account, 40 bytes each, at most
    ///     100,000. Beyond it, the oldest ones leave early, and even older messages are rejected.
    ///   - secrets: The device's secrets, whose epoch the files carry; `nil` can't recognize a lost
    ///     file.
    public init(path: String, capacity: Int = 10_000, secrets: (any DeviceSecretsStore)? = nil) {
        self.init(path: path, capacity: capacity, secrets: secrets, lock: .itself)
    }

    init(
        path: String, capacity: Int = 10_000, secrets: (any DeviceSecretsStore)?,
        lock: RecordFile.Lock
    ) {
        self.path = path
        self.capacity = capacity
        self.secrets = secrets
        self.lock = lock
    }

    /// Records a message, recognizes it as one of the last hour, or rejects it.
    ///
    /// - Throws: ``PushCryptError`` with `replayed` or `possiblyReplayed`; `invalidConfiguration`
    ///   for another capacity; `keyUnreadable`, `deviceLocked` or `missingEntitlement` if the
    ///   secrets can't be read; or `lockTimeout`, `fileNotFound`, `insecureFile` or
    ///   `fileSystemError` if the file can't be used.
    public func admit(_ message: GuardedMessage, now: Date) throws -> ReplayGuardAnswer {
        // Before the file changes: unreadable secrets aren't missing ones.
        let epoch = try secrets?.read()?.epoch
        var attempt = try attempt(message, under: epoch, keyAge: nil, now: now)
        // Not under the lock, because the key store may block.
        if attempt.answer == nil {
            let first = attempt
            attempt = try self.attempt(message, under: epoch, keyAge: message.keyAge(), now: now)
            attempt.damage = attempt.damage ?? first.damage
        }
        if let damage = attempt.damage { throw damage }
        return attempt.answer ?? .new
    }

    /// The result of one look at the file.
    struct Attempt {
        /// The answer; `nil` if it depends on the key's age, or nothing was recorded.
        let answer: ReplayGuardAnswer?
        /// The error of a file that was damaged, and has forgotten its messages.
        var damage: PushCryptError?
    }

    /// Records a message, recognizes it, or rejects it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - epoch: The epoch of the secrets.
    ///   - keyAge: The age of the message's key; `nil` if the key store wasn't asked yet.
    ///   - now: The time.
    ///   - recording: Gets the answer before the message is recorded, and returns `false` to record
    ///     nothing.
    /// - Returns: The result.
    /// - Throws: ``PushCryptError`` as ``admit(_:now:)`` does.
    func attempt(
        _ message: GuardedMessage, under epoch: StoreEpoch?, keyAge: KeyAge?, now: Date,
        recording: (ReplayGuardAnswer) -> Bool = { _ in true }
    ) throws(PushCryptError) -> Attempt {
        let path = try path(of: message.account)
        create(path)
        return try file(path).withRecords { (records) throws(PushCryptError) in
            let damage = records.wasDamaged ? Self.damage(of: path) : nil
            let header = try header(of: &records, under: epoch, secretsAreNew: false, now: now)
            if keyAge == nil, ReplayTimes.of(message).issued <= header.start {
                return Attempt(answer: nil, damage: damage)
            }
            let isKeyNewer = keyAge?.isNewer(than: header.startDate) ?? false
            let place = try place(
                of: message, after: header, isKeyNewer: isKeyNewer, now: now, in: records)
            guard recording(place.answer) else { return Attempt(answer: nil, damage: damage) }
            try record(message, at: place, after: header, now: now, in: &records)
            return Attempt(answer: place.answer, damage: damage)
        }
    }

    private static func damage(of path: String) -> PushCryptError {
        PushCryptError(
            .fileSystemError,
            "\(path) was damaged and is empty now. Messages from before may open again.")
    }

    /// Gives an account's file the epoch of the secrets, when the app starts.
    ///
    /// A file without it begins now, unless the secrets are new too. A beginning in the future is
    /// corrected, because the clock was wrong.
    func prepare(account: String, _ found: FoundSecrets, now: Date) throws(PushCryptError) {
        let path = try path(of: account)
        create(path)
        try file(path).withRecords { (records) throws(PushCryptError) in
            let epoch = found.secrets.epoch
            var header = try header(
                of: &records, under: epoch, secretsAreNew: found.areNew, now: now)
            guard header.start > now.millisecondsSince1970 else { return }
            header.start = now.millisecondsSince1970
            try header.write(to: &records)
        }
    }

    private func path(of account: String) throws(PushCryptError) -> String {
        guard !account.isEmpty else { return path }
        let hash = try SHA256.hash(Array("pushcrypt/v1/account:\(account)".utf8)).array
        return "\(path).\(Base64URL.encode(Array(hash.prefix(12))))"
    }

    private func file(_ path: String) -> RecordFile {
        RecordFile(
            path, mark: "PCIDS\u{3}\r\n", recordLength: ReplayRecord.length,
            capacity: min(max(capacity, 1), 100_000) + ReplayRecord.firstIndex, lock: lock)
    }

    // MARK: Steps

    /// Returns the header, after the first step with a file that lacks the epoch.
    private func header(
        of records: inout RecordFile.Records, under epoch: StoreEpoch?, secretsAreNew: Bool,
        now: Date
    ) throws(PushCryptError) -> ReplayFileHeader {
        let found = ReplayFileHeader(reading: records, expecting: epoch, now: now)
        var header = found ?? ReplayFileHeader()
        switch StoreStart.of(header.epoch, under: epoch, secretsAreNew: secretsAreNew) {
        case .unchanged:
            if found != nil { return header }
        case .adopted:
            header.epoch = epoch
        case .now:
            header.epoch = epoch
            header.start = now.millisecondsSince1970
        }
        try header.write(to: &records)
        return header
    }

    /// The place of a message's record.
    private struct Place {
        let answer: ReplayGuardAnswer
        /// The index of the record; `nil` if the message is recorded already.
        var index: Int?
        /// The latest times of the forgotten messages afterwards.
        var forgotten = ReplayTimes()
    }

    /// Returns the place of a message, or throws if the guard rejects it.
    private func place(
        of message: GuardedMessage, after header: ReplayFileHeader, isKeyNewer: Bool, now: Date,
        in records: borrowing RecordFile.Records
    ) throws(PushCryptError) -> Place {
        let known = records.firstIndex(beginningWith: message.id.bytes) { index in
            index >= ReplayRecord.firstIndex
                && ReplayRecord.times(in: records, at: index) != ReplayTimes()
        }
        if let known {
            let admitted = ReplayRecord.admitted(in: records, at: known)
            return Place(answer: try Self.answer(to: message, admitted: admitted, now: now))
        }
        let times = ReplayTimes.of(message)
        guard times.issued > header.start || isKeyNewer else { throw ReplayTimes.possiblyReplayed }
        var forgotten = header.forgotten
        let index = try forgotten.place(
            for: times, among: records.count - ReplayRecord.firstIndex, capacity: capacity, now: now
        ) { place in
            ReplayRecord.times(in: records, at: place + ReplayRecord.firstIndex)
        }
        return Place(answer: .new, index: index + ReplayRecord.firstIndex, forgotten: forgotten)
    }

    private func record(
        _ message: GuardedMessage, at place: Place, after header: ReplayFileHeader, now: Date,
        in records: inout RecordFile.Records
    ) throws(PushCryptError) {
        guard let index = place.index else { return }
        // The header first, because the process may be killed between the two.
        if place.forgotten != header.forgotten {
            var changed = header
            changed.forgotten = place.forgotten
            try changed.write(to: &records)
        }
        let record = ReplayRecord(
            id: message.id, times: ReplayTimes.of(message), admitted: now.millisecondsSince1970)
        try records.write(record.bytes, at: index)
    }
}
