internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The journal of an interrupted run.
struct JournalFile {
    private static let format = "pushcrypt-journal 1 "
    /// The longest record: a line or an answer, and what is before it.
    private static let longestRecord = Line.maximumLengthOfAnswer + 256

    private let path: String
    /// The places in the output, in the order in which they were reached.
    private(set) var marks: [OutputMark] = []

    /// Returns the first line of a journal.
    static func head(keepsOrder: Bool) -> [UInt8] {
        Array("\(format)\(keepsOrder ? "ordered" : "unordered")\n".utf8)
    }

    /// Opens the journal of an output, and checks all of it; returns `nil` if there is none.
    init?(of output: String, keepsOrder: Bool) throws(PushCryptError) {
        path = Journal.path(for: output)
        let reader: LineReader
        do throws(PushCryptError) {
            let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            try file.checkOwner()
            reader = LineReader(file, maximumLength: Self.longestRecord)
        } catch {
            guard error.code == .fileNotFound else { throw error }
            return nil
        }
        try checkHead(of: reader, output, keepsOrder: keepsOrder)
        try forEachRecord(of: reader) { record in
            if case .mark(let mark) = record { marks.append(mark) }
        }
    }

    /// Calls a closure with each record.
    func forEachRecord(_ body: (JournalRecord) -> Void) throws(PushCryptError) {
        let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let reader = LineReader(file, maximumLength: Self.longestRecord)
        try reader.skip(1)
        try forEachRecord(of: reader, body)
    }

    private func checkHead(of reader: LineReader, _ output: String, keepsOrder: Bool)
        throws(PushCryptError)
    {
        let start = try reader.next(atMost: 1).first
        guard case .bytes(let bytes)? = start else { throw damaged }
        let head = bytes + [UInt8(ascii: "\n")]
        guard head == Self.head(keepsOrder: keepsOrder) else {
            guard head == Self.head(keepsOrder: !keepsOrder) else { throw damaged }
            let fix = keepsOrder ? "Add '--unordered'." : "Remove '--unordered'."
            throw PushCryptError(.fileExists, "\(output) was begun in another order. \(fix)")
        }
    }

    /// Reads all records but a last one whose end is missing, because its writer was killed.
    private func forEachRecord(of reader: LineReader, _ body: (JournalRecord) -> Void)
        throws(PushCryptError)
    {
        while true {
            let lines = try reader.next(atMost: 256)
            if lines.isEmpty { return }
            for line in lines {
                if case .bytes(let bytes) = line, let record = JournalRecord(bytes) {
                    body(record)
                } else if !reader.hasTornEnd {
                    throw damaged
                }
            }
        }
    }

    private var damaged: PushCryptError {
        PushCryptError(
            .fileSystemError,
            """
            \(path) is damaged, so it isn't known which pushes were sent. Restore it, or delete it \
            to send up to all pushes without an answer again.
            """)
    }
}
