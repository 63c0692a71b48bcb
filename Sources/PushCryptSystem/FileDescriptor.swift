package import PushCryptCore

// System calls instead of Foundation: its atomic write turns mode 0600 into 0644, follows links and
// doesn't sync the directory, and its buffers aren't wiped.
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open file, which is closed at the end of its lifetime.
package struct FileDescriptor: ~Copyable {
    private let number: Int32
    private let path: String
    private var isLocked = false

    /// Opens a file with the flags of open(2) and `O_CLOEXEC`, so that no child process inherits a
    /// key file.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `fileExists`, `insecureFile` or
    ///   `fileSystemError`.
    package init(_ path: String, _ flags: Int32, mode: UInt16 = 0, for name: String? = nil)
        throws(PushCryptError)
    {
        self.path = name ?? path
        var number: Int32
        repeat {
            number = unsafe open(path, flags | O_CLOEXEC, mode_t(mode))
        } while number < 0 && errno == EINTR
        guard number >= 0 else {
            let error = SystemError.current
            guard flags & O_CREAT == 0 || error.number != ENOENT else {
                throw PushCryptError(
                    .fileNotFound, "The directory of \(self.path) does not exist. Create it.")
            }
            throw error.error(for: self.path, flags & O_CREAT == 0 ? "open" : "create")
        }
        self.number = number
    }

    /// Takes ownership of an open file descriptor.
    package init(owning number: Int32, name: String) {
        self.number = number
        self.path = name
    }

    /// Calls a closure with the number of the descriptor.
    package func withNumber<Result>(_ body: (Int32) -> Result) -> Result { body(number) }

    deinit {
        // A child process has a copy of the descriptor until it executes its program. The copy
        // would keep the lock.
        if isLocked { _ = flock(number, LOCK_UN) }
        _ = close(number)
    }

    /// Returns the type, the owner and the mode of the file.
    func status() throws(PushCryptError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else {
            throw SystemError.current.error(for: path, "examine")
        }
        return status
    }

    /// Opens a regular file for reading.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile` or `fileSystemError`.
    package static func reading(_ path: String) throws(PushCryptError) -> FileDescriptor {
        // O_NONBLOCK, because opening a pipe without a writer would wait forever.
        let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw PushCryptError(.insecureFile, "\(path) is not a regular file. Name another file.")
        }
        return file
    }

    /// Opens or creates a regular file for reading and appending, with a lock that excludes other
    /// such processes.
    package static func appending(
        _ path: String, isPrivate: Bool, isNew: Bool
    ) throws(PushCryptError) -> FileDescriptor {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0)
        let file = try FileDescriptor(path, flags, mode: isPrivate ? 0o600 : 0o666)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw PushCryptError(.insecureFile, "\(path) is not a regular file. Name another file.")
        }
        if isPrivate { try file.setMode(0o600) }
        // A process that was killed, or that is being started with a copy of the descriptor, holds
        // it for a moment.
        var patience = 2000
        guard try file.lock(&patience) else {
            throw PushCryptError(.lockTimeout, "Another process writes \(path). End it first.")
        }
        return file
    }

    /// Throws `insecureFile` unless the file is a regular file of this user with one name.
    package func checkOwner() throws(PushCryptError) {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink < 2
        else {
            throw PushCryptError(
                .insecureFile, "\(path) isn't a regular file of this user with one name. Remove it."
            )
        }
    }

    /// Returns the length of the file in bytes.
    package func length() throws(PushCryptError) -> Int { Int(try status().st_size) }

    /// Sets the mode of the file, independent of the umask.
    func setMode(_ mode: UInt16) throws(PushCryptError) {
        try retrying("change the mode of") { fchmod(number, mode_t(mode)) }
    }

    /// Opens or creates a file and locks it, until the descriptor is closed.
    ///
    /// The patience is the maximum number of waits, each of a millisecond or more. Without it, a
    /// user who can open the file could block this process forever.
    ///
    /// - Throws: ``PushCryptError`` with `insecureFile` if it isn't a regular file of this user
    ///   with one name, `lockTimeout`, `fileNotFound` or `fileSystemError`.
    static func locking(_ path: String, patience: Int) throws(PushCryptError) -> FileDescriptor {
        var patience = patience
        while patience > 0 {
            var file = try updating(path)
            let status = try file.status()
            file.isLocked = try file.lock(&patience)
            // Another process may have deleted or replaced the file. Its lock then excludes no
            // other process.
            if file.isLocked, FileSystem.isName(path, of: status) { return file }
        }
        throw PushCryptError(
            .lockTimeout, "Another process holds the lock \(path). End that process, or try again.")
    }

    /// Opens or creates a file for changes in place.
    ///
    /// - Throws: ``PushCryptError`` with `insecureFile` if it isn't a regular file of this user
    ///   with one name, `fileNotFound` or `fileSystemError`.
    static func updating(_ path: String) throws(PushCryptError) -> FileDescriptor {
        // O_NONBLOCK, because some systems wait for the other end of a pipe.
        let file = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        try file.checkOwner()
        // Under some umasks, the owner couldn't open the file again.
        if try file.status().st_mode & 0o777 != 0o600 { try file.setMode(0o600) }
        return file
    }

    /// Locks the file as soon as it is free.
    ///
    /// - Parameter patience: The number of waits that are left, which the method counts down.
    /// - Returns: A Boolean value that indicates whether the file was free before the waits ran
    ///   out.
    /// - Throws: ``PushCryptError`` with `fileSystemError`.
    private func lock(_ patience: inout Int) throws(PushCryptError) -> Bool {
        while patience > 0 {
            patience -= 1
            if try lockIfFree() { return true }
            usleep(1000)
        }
        return false
    }

    /// Locks the file if it isn't locked, and returns a Boolean value that indicates whether it
    /// succeeded.
    func lockIfFree() throws(PushCryptError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw SystemError.current.error(for: path, "lock") }
        }
        return true
    }

    /// Moves to an offset, which the next read or write continues from.
    func seek(to offset: Int) throws(PushCryptError) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else {
            throw SystemError.current.error(for: path, "seek in")
        }
    }

    /// Truncates the file, or extends it with zeros, to a length in bytes.
    package func setLength(_ length: Int) throws(PushCryptError) {
        try retrying("truncate") { ftruncate(number, off_t(length)) }
    }

    /// Calls a system function again as long as signals interrupt it.
    private func retrying(_ operation: String, _ call: () -> Int32) throws(PushCryptError) {
        while call() != 0 {
            guard errno == EINTR else { throw SystemError.current.error(for: path, operation) }
        }
    }

    /// Reads until a span is full or the file ends, and returns the number of bytes.
    package func read(into bytes: inout MutableSpan<UInt8>) throws(PushCryptError) -> Int {
        var done = 0
        while done < bytes.count {
            let count = try readOnce(into: &bytes, done..<bytes.count)
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads available bytes into a part of a span and returns their number, which is 0 at the end
    /// of the file.
    package func readOnce(into bytes: inout MutableSpan<UInt8>, _ part: Range<Int>)
        throws(PushCryptError) -> Int
    {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe systemRead(number, UnsafeMutableRawBufferPointer(rebasing: bytes[part]))
            }
            if count >= 0 { return count }
            let error = SystemError.current
            // The file is a pipe that was opened with O_NONBLOCK, and its writer hasn't written
            // yet.
            if error.number == EAGAIN {
                var file = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&file, 1, -1)
            }
            guard [EINTR, EAGAIN].contains(error.number) else {
                throw error.error(for: path, "read")
            }
        }
    }

    /// Waits for bytes or the end of the file, and returns `false` if neither comes within a period
    /// in milliseconds.
    package func isReadable(within milliseconds: Int32) -> Bool {
        var file = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        var result: Int32
        repeat { result = unsafe poll(&file, 1, milliseconds) } while result < 0 && errno == EINTR
        return result != 0
    }

    /// Returns a Boolean value that indicates whether a descriptor is a pipe whose reader has
    /// ended.
    package static func hasNoReader(_ number: Int32) -> Bool {
        var file = pollfd(fd: number, events: 0, revents: 0)
        return unsafe poll(&file, 1, 0) == 1 && file.revents & Int16(POLLERR) != 0
    }

    /// Writes all bytes of a span.
    package func write(_ bytes: Span<UInt8>) throws(PushCryptError) {
        let failure = unsafe bytes.withUnsafeBytes { bytes -> SystemError? in
            var done = 0
            while done < bytes.count {
                let count = unsafe systemWrite(
                    number, UnsafeRawBufferPointer(rebasing: bytes[done...]))
                // A write that succeeds without any bytes would repeat forever.
                if count == 0 { return SystemError(number: EIO) }
                if count > 0 { done += count } else if errno != EINTR { return .current }
            }
            return nil
        }
        if let failure { throw failure.error(for: path, "write") }
    }

    /// Waits until the written bytes have reached the disk.
    package func sync() throws(PushCryptError) {
        #if canImport(Darwin)
        // fsync(2) doesn't flush the cache of the disk there. Not every file system supports this
        // call.
        if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        try retrying("sync") { fsync(number) }
    }
}

// These functions are outside of the type, because its methods would hide the system's functions.
private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(number, bytes.baseAddress, bytes.count)
}

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(number, bytes.baseAddress, bytes.count)
}
