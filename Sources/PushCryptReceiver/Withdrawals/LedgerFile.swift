internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptSystem

/// The file of a ledger.
///
/// The first record has a random key, so that hashes of the same thread differ between devices.
struct LedgerFile: Sendable {
    /// The longest identifier in bytes, which is the limit of `apns-collapse-id`.
    static let longestIdentifier = 64

    private static let hashLength = 16
    private static let keyLength = 32
    /// The identifier and its length, three hashes and two times.
    private static let recordLength = 1 + longestIdentifier + 3 * hashLength + 16

    private let file: RecordFile

    init(_ path: String) {
        file = RecordFile(
            path, mark: "PCSHN\u{1}\r\n", recordLength: Self.recordLength, capacity: 100_000)
    }

    /// Calls a closure with the ledger, which no other process uses meanwhile, and writes the entries that it changes.
    func withLedger<Result>(
        _ body: (inout WithdrawalLedger, _ hash: LedgerHash) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try file.withRecords { (records) throws(PushCryptError) in
            if records.count == 0 {
                var first = [UInt8](repeating: 0, count: Self.recordLength)
                try RandomBytes.fill(&first, 0..<Self.keyLength)
                try records.write(first, at: 0)
            }
            let key = Array(records[0].prefix(Self.keyLength))
            let before = (1..<records.count).map { Self.entry(records[$0]) }
            var ledger = WithdrawalLedger(before)
            let result = try body(&ledger, LedgerHash(SecretBytes(copying: key.span)))
            for (index, entry) in ledger.entries.enumerated() where index >= before.count || entry != before[index] {
                try records.write(Self.record(entry), at: index + 1)
            }
            guard !records.wasDamaged else {
                throw PushCryptError(.fileSystemError, "\(file.path) was damaged. Earlier withdrawals don't act.")
            }
            return result
        }
    }

    private static func entry(_ record: ArraySlice<UInt8>) -> WithdrawalLedger.Entry {
        let record = Array(record)
        let hashes = record[(1 + longestIdentifier)...]
        return WithdrawalLedger.Entry(
            account: Array(hashes.prefix(hashLength)),
            identifier: Array(record[1...].prefix(min(Int(record[0]), longestIdentifier))),
            target: Array(hashes.dropFirst(hashLength).prefix(hashLength)),
            thread: Array(hashes.dropFirst(2 * hashLength).prefix(hashLength)),
            issuedAt: UInt64(bigEndianBytes: record.span, at: recordLength - 16),
            time: UInt64(bigEndianBytes: record.span, at: recordLength - 8))
    }

    private static func record(_ entry: WithdrawalLedger.Entry) -> [UInt8] {
        var record = [UInt8(entry.identifier.count)]
        for (bytes, length) in [
            (entry.identifier, longestIdentifier), (entry.account, hashLength), (entry.target, hashLength),
            (entry.thread, hashLength),
        ] {
            record += bytes + [UInt8](repeating: 0, count: length - bytes.count)
        }
        record += [UInt8](repeating: 0, count: 16)
        record.store(bigEndian: entry.issuedAt, at: record.count - 16)
        record.store(bigEndian: entry.time, at: record.count - 8)
        return record
    }
}

/// The keyed hash of names in a ledger.
struct LedgerHash {
    private let key: SecretBytes

    init(_ key: SecretBytes) { self.key = key }

    /// Returns the hash of an identifier or a thread, or without a member's name, of an account.
    func callAsFunction(_ name: Withdrawal.Member?, _ text: String) throws(PushCryptError) -> [UInt8] {
        let text = Array("\(name?.rawValue ?? "account"):\(text)".utf8)
        var digest = [UInt8](repeating: 0, count: 16)
        var span = digest.mutableSpan
        try BLAKE2b.hash(text.span, keyedBy: key, into: &span)
        return digest
    }
}
