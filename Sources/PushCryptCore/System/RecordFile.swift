#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A small file of records of one length, which several processes read and change in place.
///
/// For what is handy to have and not worth waiting for: whoever cannot have the file's lock soon gets an error. A change
/// is one write of one record, so a process that is killed leaves every other record as it was. Nothing is synced: only a
/// machine that loses its power may forget the last records.
package struct RecordFile: Sendable {
    /// Where the file is.
    package let path: String

    private let mark: [UInt8]
    private let recordLength: Int
    private let capacity: Int

    /// Names a file.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - path: where the file is; its folder must exist.
    ///   - mark: what the file begins with, 8 ASCII characters: what is in it, and in which version.
    ///   - recordLength: how many bytes a record has.
    ///   - capacity: how many records there may be.
    package init(_ path: String, mark: String, recordLength: Int, capacity: Int) {
        self.path = path
        self.mark = Array(mark.utf8)
        self.recordLength = recordLength
        self.capacity = capacity
    }

    /// The records of an open file, while nobody else has them.
    package struct Records: ~Copyable {
        private let file: FileDescriptor
        private let markLength: Int
        private let recordLength: Int
        private let capacity: Int
        /// All of the file, its mark included.
        private var bytes: [UInt8]

        /// Whether the file was of another kind, or damaged, and was begun anew.
        package let wasDamaged: Bool

        fileprivate init(
            _ file: consuming FileDescriptor, _ markLength: Int, _ recordLength: Int, _ capacity: Int,
            _ bytes: [UInt8], wasDamaged: Bool
        ) {
            self.file = file
            self.markLength = markLength
            self.recordLength = recordLength
            self.capacity = capacity
            self.bytes = bytes
            self.wasDamaged = wasDamaged
        }

        /// How many records there are.
        package var count: Int { (bytes.count - markLength) / recordLength }

        /// Whether there is room for one more.
        package var hasRoom: Bool { count < capacity }

        /// One record.
        package subscript(_ index: Int) -> ArraySlice<UInt8> {
            bytes[place(of: index)]
        }

        /// The first record that begins with some bytes.
        package func firstIndex(beginningWith start: [UInt8]) -> Int? {
            let all = bytes.span
            let start = start.span
            var place = markLength
            for index in 0..<count {
                var length = 0
                while length < start.count, all[place + length] == start[length] { length += 1 }
                if length == start.count { return index }
                place += recordLength
            }
            return nil
        }

        /// The number in the eight bytes at an offset of a record, the first in the highest bits.
        package func number(at offset: Int, of index: Int) -> UInt64 {
            let start = place(of: index).lowerBound + offset
            return (start..<(start + 8)).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }

        private func place(of index: Int) -> Range<Int> {
            let start = markLength + index * recordLength
            return start..<(start + recordLength)
        }

        /// Puts a record in the place of another, or behind the last one.
        package mutating func write(_ record: [UInt8], at index: Int) throws(PushCryptError) {
            try file.seek(to: place(of: index).lowerBound)
            try file.write(record.span)
            if index == count {
                bytes += record
            } else {
                bytes.replaceSubrange(place(of: index), with: record)
            }
        }

        /// Lets go of the last records.
        package mutating func cut(to count: Int) throws(PushCryptError) {
            let end = place(of: count).lowerBound
            try file.setLength(end)
            bytes.removeLast(bytes.count - end)
        }
    }

    /// Opens the file, makes it where it is missing, and runs a step while nobody else has it.
    ///
    /// - Parameter body: the step; it must not use the file itself.
    /// - Returns: what the step returns.
    /// - Throws: ``PushCryptError`` with `fileNotFound` where the folder is missing, `fileUnsafe` or `fileTrouble`, also where
    ///   somebody else has had the lock for a while; or what the step throws.
    package func withRecords<Result>(
        _ body: (inout Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let file = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, for: nil)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PushCryptError(.fileUnsafe, "\(path) is no plain file. Name a file of its own.")
        }
        try lock(file)
        // Only now: another process may have written while this one waited.
        let length = Int(try file.status().st_size)
        let room = mark.count + capacity * recordLength
        var contents = [UInt8](repeating: 0, count: min(length, room))
        var span = contents.mutableSpan
        let count = try file.read(into: &span)
        contents.removeLast(contents.count - count)
        let isDamaged = !contents.isEmpty && !(contents.starts(with: mark) && length <= room)
        if contents.count < mark.count || isDamaged {
            try file.setLength(0)
            try file.seek(to: 0)
            try file.write(mark.span)
            contents = mark
        }
        // Whoever was killed while adding a record has left a part of it; the next one takes its place.
        contents.removeLast((contents.count - mark.count) % recordLength)
        var records = Records(file, mark.count, recordLength, capacity, contents, wasDamaged: isDamaged)
        return try body(&records)
    }

    /// Waits for the lock, for a twentieth of a second at the most: everybody holds it for much less.
    private func lock(_ file: borrowing FileDescriptor) throws(PushCryptError) {
        for _ in 0..<50 {
            if try file.lockIfFree() { return }
            usleep(1000)
        }
        throw PushCryptError(.fileTrouble, "Somebody else uses \(path) and does not let go of it.")
    }
}
