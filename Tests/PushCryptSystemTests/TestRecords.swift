import PushCryptCore
import PushCryptKeyring
import PushCryptSystem

/// A file of records with a number each.
struct TestRecords: Sendable {
    static let mark = "TESTS\u{2}\r\n"

    let path: String
    let file: RecordFile

    init(_ path: String, capacity: Int = 100) {
        self.path = path
        file = RecordFile(path, mark: Self.mark, recordLength: 10, capacity: capacity)
    }

    static func record(_ number: UInt64) -> [UInt8] {
        [0xAA, 0xBB] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    func add(_ number: UInt64) throws(PushCryptError) {
        try file.withRecords { (records) throws(PushCryptError) in
            try records.write(Self.record(number), at: records.count)
        }
    }

    /// Adds a record, and tries again as long as other threads or processes hold the lock.
    func addAtLast(_ number: UInt64) throws(PushCryptError) {
        for _ in 0..<1000 {
            do throws(PushCryptError) {
                return try add(number)
            } catch {
                guard error.code == .lockTimeout else { throw error }
            }
        }
        throw PushCryptError(.lockTimeout, "Other processes always held the lock.")
    }

    var all: [UInt64] {
        get throws(PushCryptError) {
            try file.withRecords { (records) throws(PushCryptError) in
                (0..<records.count).map { records.number(at: 2, of: $0) }
            }
        }
    }

    var wasDamaged: Bool {
        get throws(PushCryptError) {
            try file.withRecords { (records) throws(PushCryptError) in records.wasDamaged }
        }
    }

    var hasRoom: Bool {
        get throws(PushCryptError) {
            try file.withRecords { (records) throws(PushCryptError) in records.hasRoom }
        }
    }
}
