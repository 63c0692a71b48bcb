internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptSystem

/// The file of a ledger.
///
/// The first record has a random key, so that hashes of the same thread differ between devices. It
/// also has the epoch of the device's secrets, and the beginning of the file.
struct LedgerFile: Sendable {
    /// The longest identifier in bytes, which is the limit of `apns-collapse-id`.
    static let longestIdentifier = 64

    private static let keyLength = 32
    /// The bit of the state's byte that marks the first identifier of a message.
    private static let firstMark: UInt8 = 0x80

    /// The places in a record: the identifier's length and the identifier, three digests, three
    /// times, the message, and the state.
    private static let accountStart = 1 + longestIdentifier
    private static let targetStart = accountStart + Ledger.Digest.length
    private static let threadStart = targetStart + Ledger.Digest.length
    private static let timesStart = threadStart + Ledger.Digest.length
    private static let messageStart = timesStart + 24
    private static let markStart = messageStart + Ledger.Digest.length
    private static let recordLength = markStart + 1

    private let file: RecordFile

    init(_ path: String, lock: RecordFile.Lock = .itself) {
        file = RecordFile(
            path, mark: "PCLDG\u{1}\r\n", recordLength: Self.recordLength, capacity: 100_000,
            lock: lock)
    }

    /// Calls a closure with the ledger, which no other process uses meanwhile, and writes the
    /// entries that it changes.
    ///
    /// A file without the epoch of the secrets begins now.
    func withLedger<Result>(
        under epoch: StoreEpoch?, now: UInt64,
        _ body: (inout Ledger, _ hash: LedgerHash) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try file.withRecords { (records) throws(PushCryptError) in
            let header = try header(of: &records, under: epoch, secretsAreNew: false, now: now)
            let before = (1..<records.count).map { index in
                let record = records[index]
                return Self.entry(record.span)
            }
            var ledger = Ledger(before, start: header.start)
            let result = try body(&ledger, LedgerHash(SecretBytes(copying: header.key.span)))
            for (index, entry) in ledger.entries.enumerated()
            where index >= before.count || entry != before[index] {
                try records.write(Self.record(entry), at: index + 1)
            }
            guard !records.wasDamaged else {
                throw PushCryptError(
                    .fileSystemError, "\(file.path) was damaged. Earlier withdrawals don't act.")
            }
            return result
        }
    }

    /// Gives the file the epoch of the secrets, when the app starts, and corrects a beginning in
    /// the future.
    func prepare(_ found: FoundSecrets, now: UInt64) throws(PushCryptError) {
        try file.withRecords { (records) throws(PushCryptError) in
            var header = try header(
                of: &records, under: found.secrets.epoch, secretsAreNew: found.areNew, now: now)
            guard header.start > now else { return }
            header.start = now
            try records.write(header.record(Self.recordLength), at: 0)
        }
    }

    // MARK: Records

    /// The first record.
    private struct Header {
        var key: [UInt8]
        var epoch: StoreEpoch?
        /// The time before which withdrawals may have been forgotten, in milliseconds since 1970.
        var start: UInt64 = 0

        func record(_ length: Int) -> [UInt8] {
            var record = key + StoreEpoch.bytes(epoch)
            let startOffset = record.count
            record += [UInt8](repeating: 0, count: length - startOffset)
            record.store(bigEndian: start, at: startOffset)
            return record
        }
    }

    /// Returns the first record, after the first step with a file that lacks the epoch.
    private func header(
        of records: inout RecordFile.Records, under epoch: StoreEpoch?, secretsAreNew: Bool,
        now: UInt64
    ) throws(PushCryptError) -> Header {
        let isNew = records.count == 0
        var header = Header(key: [UInt8](repeating: 0, count: Self.keyLength))
        if isNew {
            try RandomBytes.fill(&header.key, 0..<Self.keyLength)
        } else {
            let record = Array(records[0])
            header.key = Array(record.prefix(Self.keyLength))
            header.epoch = StoreEpoch(stored: record[Self.keyLength...].prefix(StoreEpoch.length))
            header.start = UInt64(
                bigEndianBytes: record.span, at: Self.keyLength + StoreEpoch.length)
        }
        switch StoreStart.of(header.epoch, under: epoch, secretsAreNew: secretsAreNew) {
        case .unchanged:
            if !isNew { return header }
        case .adopted:
            header.epoch = epoch
        case .now:
            header.epoch = epoch
            header.start = now
        }
        try records.write(header.record(Self.recordLength), at: 0)
        return header
    }

    private static func entry(_ record: Span<UInt8>) -> Ledger.Entry {
        let mark = record[markStart]
        guard let state = Ledger.State(rawValue: mark & ~firstMark), state != .free else {
            return .free
        }
        var entry = Ledger.Entry(
            account: Ledger.Digest(record, at: accountStart),
            target: Ledger.Digest(record, at: targetStart),
            issuedAt: UInt64(bigEndianBytes: record, at: timesStart),
            end: UInt64(bigEndianBytes: record, at: timesStart + 16))
        entry.state = state
        entry.time = UInt64(bigEndianBytes: record, at: timesStart + 8)
        entry.isFirst = mark & firstMark != 0
        guard entry.isMessage else { return entry }
        let length = min(Int(record[0]), longestIdentifier)
        entry.identifier = [UInt8](copying: record.extracting(1..<(1 + length)))
        entry.thread = Ledger.Digest(record, at: threadStart)
        entry.message = Ledger.Digest(record, at: messageStart)
        return entry
    }

    private static func record(_ entry: Ledger.Entry) -> [UInt8] {
        var record = [UInt8](repeating: 0, count: recordLength)
        record[0] = UInt8(entry.identifier.count)
        record.replaceSubrange(1..<(1 + entry.identifier.count), with: entry.identifier)
        entry.account.write(to: &record, at: accountStart)
        entry.target.write(to: &record, at: targetStart)
        entry.thread.write(to: &record, at: threadStart)
        record.store(bigEndian: entry.issuedAt, at: timesStart)
        record.store(bigEndian: entry.time, at: timesStart + 8)
        record.store(bigEndian: entry.end, at: timesStart + 16)
        entry.message.write(to: &record, at: messageStart)
        record[markStart] = entry.state.rawValue | (entry.isFirst ? firstMark : 0)
        return record
    }
}

/// The keyed hash of names in a ledger.
struct LedgerHash {
    private let key: SecretBytes

    init(_ key: SecretBytes) { self.key = key }

    /// Returns the hash of an identifier or a thread, or without a member's name, of an account.
    func callAsFunction(_ name: Withdrawal.Member?, _ text: String) throws(PushCryptError)
        -> Ledger.Digest
    {
        let text = Array("\(name?.rawValue ?? "account"):\(text)".utf8)
        var digest = [UInt8](repeating: 0, count: Ledger.Digest.length)
        var span = digest.mutableSpan
        try BLAKE2b.hash(text.span, keyedBy: key, into: &span)
        return Ledger.Digest(digest.span)
    }
}
