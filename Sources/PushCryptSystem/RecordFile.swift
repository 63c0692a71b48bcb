internal import Dispatch
package import PushCryptCore

/// A small file of records of equal length, which several processes read and change in place.
///
/// Best effort: an operation throws if the lock isn't available within about 50 ms. A change is one
/// write to its own records, so a killed process damages no other record. Nothing is synced: a
/// power failure can lose the last records.
package struct RecordFile: Sendable {
    /// The location of the file.
    package let path: String

    /// The lock that excludes other processes while the file is read and changed.
    package enum Lock: Sendable {
        /// The lock of the file itself.
        case itself
        /// A lock file, which protects other files, too.
        case file(FileLock)
        /// A lock that the caller holds.
        case held
    }

    private let lock: Lock
    private let mark: [UInt8]
    private let recordLength: Int
    private let capacity: Int

    /// The number of bytes that are read if another program allows more records.
    private static let lengthForAll = 1 << 20

    /// The lock with which the threads of this process take turns.
    ///
    /// In a flood of pushes, too many threads would wait for the file's lock.
    private static let turn = DispatchSemaphore(value: 1)

    /// The places of the version in a mark.
    private static let versionIndices = [5, 7]

    /// Creates a reference to a file, which begins with a mark of 8 ASCII characters, without
    /// opening it.
    ///
    /// A later version of a file adds the same number to the sixth and to the eighth character.
    /// Such a file isn't overwritten, and one damaged byte doesn't look like it.
    package init(
        _ path: String, mark: String, recordLength: Int, capacity: Int, lock: Lock = .itself
    ) {
        self.path = path
        self.lock = lock
        self.mark = Array(mark.utf8)
        self.recordLength = recordLength
        // Nothing overflows, and no file has this many records.
        self.capacity = min(capacity, Int(Int32.max) / recordLength)
    }

    /// The records of a locked file.
    package struct Records: ~Copyable {
        fileprivate let file: FileDescriptor
        fileprivate let format: RecordFile
        /// The whole file, including its mark.
        fileprivate var bytes: [UInt8]

        /// A Boolean value that indicates whether the file was damaged and has been reset.
        package fileprivate(set) var wasDamaged: Bool

        /// The number of records, which exceeds the capacity if another program allows more.
        package var count: Int { (bytes.count - format.mark.count) / format.recordLength }

        /// A Boolean value that indicates whether another record fits.
        package var hasRoom: Bool { count < format.capacity }

        /// The bytes of a record.
        package subscript(_ index: Int) -> ArraySlice<UInt8> {
            bytes[place(of: index)]
        }

        /// Returns the index of the first counted record that begins with some bytes.
        package func firstIndex(beginningWith start: [UInt8], where counts: (Int) -> Bool) -> Int? {
            let all = bytes.span
            let start = start.span
            var place = format.mark.count
            for index in 0..<count {
                var length = 0
                while length < start.count, all[place + length] == start[length] { length += 1 }
                if length == start.count, counts(index) { return index }
                place += format.recordLength
            }
            return nil
        }

        /// Returns the big-endian integer in the eight bytes at an offset of a record.
        package func number(at offset: Int, of index: Int) -> UInt64 {
            let all = bytes.span
            return UInt64(bigEndianBytes: all, at: place(of: index).lowerBound + offset)
        }

        private func place(of index: Int) -> Range<Int> {
            let start = format.mark.count + index * format.recordLength
            return start..<(start + format.recordLength)
        }

        /// Replaces a record, or appends one.
        package mutating func write(_ record: [UInt8], at index: Int) throws(PushCryptError) {
            try file.seek(to: place(of: index).lowerBound)
            try file.write(record.span)
            // A new record replaces an empty range at the end.
            bytes.replaceSubrange(place(of: index).clamped(to: bytes.indices), with: record)
        }

        /// Removes the last records.
        package mutating func cut(to count: Int) throws(PushCryptError) {
            let end = place(of: count).lowerBound
            try file.setLength(end)
            bytes.removeLast(bytes.count - end)
        }
    }

    /// Opens or creates the file, locks it, and calls a closure, which must not use the file
    /// itself.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound` if the directory is missing; `insecureFile`
    ///   if the path names another kind of file, which stays unchanged; `lockTimeout` or
    ///   `fileSystemError`; or the error of the closure.
    package func withRecords<Result>(
        _ body: (inout Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        switch lock {
        case .held: return try withRecords(in: .updating(path), body)
        case .file(let lock):
            return try lock.withLock { () throws(PushCryptError) in
                try withRecords(in: .updating(path), body)
            }
        case .itself:
            Self.turn.wait()
            defer { Self.turn.signal() }
            // Other processes hold the lock for much less than 50 ms.
            return try withRecords(in: .locking(path, patience: 50), body)
        }
    }

    private func withRecords<Result>(
        in file: consuming FileDescriptor, _ body: (inout Records) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        // Read under the lock, because another process may have written before.
        let length = try file.length()
        let longest = max(mark.count + capacity * recordLength, Self.lengthForAll)
        var contents = [UInt8](repeating: 0, count: min(length, longest))
        var span = contents.mutableSpan
        let count = try file.read(into: &span)
        contents.removeLast(contents.count - count)
        guard !isNewer(contents.prefix(mark.count)) else {
            throw PushCryptError(
                .newerFormat,
                """
                A newer version of PushCrypt has written \(path), so it isn't changed. Update this \
                program.
                """)
        }
        let isDamaged = !contents.isEmpty && !(contents.starts(with: mark) && length <= longest)
        if isDamaged, !isLikeMark(contents.prefix(mark.count)) {
            throw PushCryptError(
                .insecureFile,
                "\(path) is a file of another type. Choose another path, or remove the file.")
        }
        if contents.count < mark.count || isDamaged {
            try file.setLength(0)
            try file.seek(to: 0)
            try file.write(mark.span)
            contents = mark
        }
        // A process that was killed while it appended has left a part of a record, which the next
        // record overwrites.
        contents.removeLast((contents.count - mark.count) % recordLength)
        var records = Records(file: file, format: self, bytes: contents, wasDamaged: isDamaged)
        return try body(&records)
    }

    /// Returns a Boolean value that indicates whether a mark is the one of a later version.
    private func isNewer(_ start: ArraySlice<UInt8>) -> Bool {
        guard start.count == mark.count else { return false }
        let steps = mark.indices.map { Int(start[$0]) - Int(mark[$0]) }
        let later = steps[Self.versionIndices[0]]
        return later > 0
            && steps.indices.allSatisfy {
                steps[$0] == (Self.versionIndices.contains($0) ? later : 0)
            }
    }

    /// Returns a Boolean value that indicates whether the file looks like a damaged record file; a
    /// file of another type must not be overwritten.
    ///
    /// A power failure can leave zeros in written blocks.
    private func isLikeMark(_ start: ArraySlice<UInt8>) -> Bool {
        let wrong = zip(start, mark).filter { $0 != $1 && $0 != 0 }.count
        return 4 * wrong <= start.count
    }
}
