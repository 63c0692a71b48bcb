package import PushCryptCore

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
/// is one write, and changes the bytes of its own records alone, so a process that is killed leaves every other record as
/// it was. Nothing is synced: only a machine that loses its power may forget the last records.
package struct RecordFile: Sendable {
    /// Where the file is.
    package let path: String

    private let mark: [UInt8]
    private let recordLength: Int
    private let capacity: Int

    /// What is read of a file whose writer has allowed more records than this reader does.
    private static let lengthForAll = 1 << 20

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

        /// Whether the file was damaged, and was begun anew.
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

        /// How many records there are; more than the capacity, where another program allows more.
        package var count: Int { (bytes.count - markLength) / recordLength }

        /// Whether there is room for one more.
        package var hasRoom: Bool { count < capacity }

        /// One record.
        package subscript(_ index: Int) -> ArraySlice<UInt8> {
            bytes[place(of: index)]
        }

        /// The first record that begins with some bytes, among those that count.
        package func firstIndex(beginningWith start: [UInt8], where counts: (Int) -> Bool) -> Int? {
            let all = bytes.span
            let start = start.span
            var place = markLength
            for index in 0..<count {
                var length = 0
                while length < start.count, all[place + length] == start[length] { length += 1 }
                if length == start.count, counts(index) { return index }
                place += recordLength
            }
            return nil
        }

        /// The number in the eight bytes at an offset of a record, the first in the highest bits.
        package func number(at offset: Int, of index: Int) -> UInt64 {
            let all = bytes.span
            return all.littleEndianWord(at: place(of: index).lowerBound + offset).byteSwapped
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

        /// Fills some records with zeros, in one write, however many they are: others wait for the lock meanwhile.
        package mutating func clear(_ indices: [Int]) throws(PushCryptError) {
            guard let first = indices.min(), let last = indices.max() else { return }
            for index in indices {
                for place in place(of: index) { bytes[place] = 0 }
            }
            // What lies between is written as it is.
            let range = place(of: first).lowerBound..<place(of: last).upperBound
            try file.seek(to: range.lowerBound)
            let all = bytes.span
            try file.write(all.extracting(range))
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
    /// - Throws: ``PushCryptError`` with `fileNotFound` where the folder is missing; `insecureFile` where the path names
    ///   something else than such a file, which is left as it is; `fileSystemError`, also where somebody else has had the lock
    ///   for a while; or what the step throws.
    package func withRecords<Result>(
        _ body: (inout Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        let file = try openLocked()
        // Only now: another process may have written while this one waited.
        let length = Int(try file.status().st_size)
        let longest = max(mark.count + capacity * recordLength, Self.lengthForAll)
        var contents = [UInt8](repeating: 0, count: min(length, longest))
        var span = contents.mutableSpan
        let count = try file.read(into: &span)
        contents.removeLast(contents.count - count)
        let isDamaged = !contents.isEmpty && !(contents.starts(with: mark) && length <= longest)
        if isDamaged, !isLikeMark(contents.prefix(mark.count)) {
            throw PushCryptError(
                .insecureFile, "\(path) is a file of another kind. Name a file of its own, or remove this one.")
        }
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

    /// Whether a file begins like one of these that was damaged, and is none of another kind, which may be dear to somebody.
    ///
    /// A machine that loses its power may leave zeros where something was written.
    private func isLikeMark(_ start: ArraySlice<UInt8>) -> Bool {
        let wrong = zip(start, mark).filter { $0 != $1 && $0 != 0 }.count
        return 4 * wrong <= start.count
    }

    /// Opens the file and takes its lock, waiting for a twentieth of a second or so: everybody holds it for much less.
    private func openLocked() throws(PushCryptError) -> FileDescriptor {
        var patience = 50
        while patience > 0 {
            let file = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, for: nil)
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw PushCryptError(.insecureFile, "\(path) is no plain file. Name a file of its own.")
            }
            // Under a strange umask the file would be made so that its owner cannot open it a second time.
            if status.st_mode & 0o777 != 0o600, status.st_uid == geteuid() { try file.setMode(0o600) }
            while patience > 0 {
                patience -= 1
                if try file.lockIfFree() {
                    // What is written to a file that was removed or replaced meanwhile, nobody will ever read.
                    if FileNames.isName(path, of: status) { return file }
                    break
                }
                usleep(1000)
            }
        }
        throw PushCryptError(.fileSystemError, "Somebody else uses \(path) and does not let go of it.")
    }
}
