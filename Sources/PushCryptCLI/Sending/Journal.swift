internal import Foundation
internal import PushCryptSender
internal import PushCryptSystem

/// The file beside an output that tells which pushes the client has, so that `--resume` repeats no
/// others.
///
/// A record is one line. The records of a turn are written at once, before the client gets the
/// pushes.
final class Journal {
    /// A journal above this length is replaced by one with what is still needed.
    private static let longest = 64 << 20
    /// A journal above this length is replaced when no push is open.
    private static let longestWithoutPushes = 1 << 20

    /// Returns the path of the journal of an output.
    static func path(for output: String) -> String { "\(output).journal" }

    private let path: String
    private let head: [UInt8]
    private var file: FileDescriptor
    /// The records that aren't written yet.
    private var pending: [UInt8] = []
    /// The end of the output.
    private var mark: OutputMark
    /// A Boolean value that indicates whether the output has grown since the record of its end.
    private var isBehind = false
    private var length: Int
    /// The length after the last replacement.
    private var shortestLength: Int

    /// Creates or replaces a journal, with the records that are still needed.
    ///
    /// The process holds the lock of the output.
    init(
        _ path: String, keepsOrder: Bool, at mark: OutputMark, records: [JournalRecord]
    ) throws(PushCryptError) {
        self.path = path
        self.mark = mark
        head = JournalFile.head(keepsOrder: keepsOrder)
        // A process that was killed during a replacement has left a file.
        FileSystem.removeLeftovers(in: FileSystem.directory(of: path), olderThan: 0) { name in
            FileSystem.isTemporary(name, for: path)
        }
        let contents = Self.contents(head, at: mark, records)
        file = try Self.replace(path, contents)
        length = contents.count
        shortestLength = contents.count
    }

    func add(_ record: JournalRecord) { record.write(to: &pending) }

    /// Moves the end of the output over answers that were written.
    func add(written answers: [LineAnswer]) {
        for answer in answers { mark.add(answer.bytes) }
        if !answers.isEmpty { isBehind = true }
    }

    /// Writes the new records at once, after the end of the output if it has grown.
    func write() throws(PushCryptError) {
        if isBehind { add(.mark(mark)) }
        isBehind = false
        guard !pending.isEmpty else { return }
        // The memory serves the next turn too.
        var records: [UInt8] = []
        swap(&records, &pending)
        try file.write(records.span)
        length += records.count
        records.removeAll(keepingCapacity: true)
        swap(&records, &pending)
    }

    /// Returns a Boolean value that indicates whether a shorter journal is worth its cost.
    func isLong(hasPushes: Bool) -> Bool {
        hasPushes
            ? length > max(Self.longest, 2 * shortestLength) : length > Self.longestWithoutPushes
    }

    /// Replaces the journal by one with some records.
    ///
    /// The output must be on the disk, because the journal forgets its earlier ends.
    func replace(_ records: [JournalRecord]) throws(PushCryptError) {
        let contents = Self.contents(head, at: mark, records)
        file = try Self.replace(path, contents)
        pending = []
        isBehind = false
        length = contents.count
        shortestLength = contents.count
    }

    /// Deletes the journal of a complete output.
    func delete() { FileSystem.remove(path) }

    private static func contents(_ head: [UInt8], at mark: OutputMark, _ records: [JournalRecord])
        -> [UInt8]
    {
        var contents = head
        for record in [.mark(mark)] + records { record.write(to: &contents) }
        return contents
    }

    private static func replace(_ path: String, _ contents: [UInt8]) throws(PushCryptError)
        -> FileDescriptor
    {
        try OutputFile.write(contents, to: path, isPrivate: true)
        return try FileDescriptor.appending(path, isPrivate: true, isNew: false)
    }
}
