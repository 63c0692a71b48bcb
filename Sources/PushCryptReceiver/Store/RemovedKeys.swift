internal import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

/// The IDs of removed accounts' keys, in a file that the app and its extension share.
///
/// Pushes may arrive for days after an account was removed. They are rejected as `removedAccount`,
/// so that the extension displays another text than for messages that it can't open.
struct RemovedKeys: Sendable {
    private let file: RecordFile

    /// Creates a list without opening the file.
    init(path: String, lock: RecordFile.Lock = .itself) {
        file = RecordFile(
            path, mark: "PCDEL\u{1}\r\n", recordLength: KeyID.length + 8, capacity: 1000, lock: lock
        )
    }

    /// Records IDs until the last push to them has expired.
    func add(_ ids: [KeyID], at now: Date) throws(PushCryptError) {
        let now = now.millisecondsSince1970
        let end = min(now, .max / 2) + Freshness.standard.maximumAge(lifetime: .max)
        try file.withRecords { (records) throws(PushCryptError) in
            for id in ids {
                let ends = (0..<records.count).map { records.number(at: KeyID.length, of: $0) }
                let first = ends.indices.min { ends[$0] < ends[$1] } ?? 0
                var record = id.bytes + [UInt8](repeating: 0, count: 8)
                record.store(bigEndian: end, at: KeyID.length)
                let isReplaced = !records.hasRoom || first < ends.count && ends[first] < now
                try records.write(record, at: isReplaced ? first : records.count)
            }
        }
    }

    /// Returns whether an account with this key was removed; `false` if the file can't be read.
    func contains(_ id: KeyID, at now: Date) -> Bool {
        let isKnown = try? file.withRecords { (records) throws(PushCryptError) in
            records.firstIndex(beginningWith: id.bytes) {
                records.number(at: KeyID.length, of: $0) >= now.millisecondsSince1970
            } != nil
        }
        return isKnown ?? false
    }
}
