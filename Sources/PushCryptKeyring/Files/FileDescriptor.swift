package import PushCryptCore

// The kernel's file calls, which take pointers: beside Sodium/, the only folder whose sources may say `unsafe`. Foundation
// is not fit for key files: its atomic write turns mode 0600 into 0644, follows links and does not sync the folder, and
// what it reads lies in memory that nobody wipes.
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open file, closed when it goes.
package struct FileDescriptor: ~Copyable {
    private let number: Int32
    private let path: String

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - flags: as of open(2); `O_CLOEXEC` is always added, so that no child process inherits a key file.
    ///   - mode: for a file that is made.
    ///   - name: what messages call the file; the path, where none is given.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `fileExists`, `insecureFile` or `fileSystemError`.
    package init(_ path: String, _ flags: Int32, mode: UInt16 = 0, for name: String? = nil) throws(PushCryptError) {
        var number: Int32
        repeat {
            number = unsafe open(path, flags | O_CLOEXEC, mode_t(mode))
        } while number < 0 && errno == EINTR
        guard number >= 0 else {
            let trouble = SystemError.last
            guard flags & O_CREAT == 0 || trouble.number != ENOENT else {
                throw PushCryptError(.fileNotFound, "The folder for \(name ?? path) does not exist.")
            }
            throw trouble.error(flags & O_CREAT == 0 ? "open" : "make", name ?? path)
        }
        self.number = number
        self.path = name ?? path
    }

    /// Takes ownership of an open file descriptor.
    package init(owning number: Int32, name: String) {
        self.number = number
        self.path = name
    }

    /// Hands the number to a system call that has no method here.
    package func withNumber<Result>(_ body: (Int32) -> Result) -> Result { body(number) }

    deinit {
        _ = close(number)
    }

    /// What kind of file it is, whose, and who may use it.
    func status() throws(PushCryptError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemError.last.error("examine", path) }
        return status
    }

    /// Sets the file's mode, whatever the umask made of it.
    func setMode(_ mode: UInt16) throws(PushCryptError) {
        while fchmod(number, mode_t(mode)) != 0 {
            guard errno == EINTR else { throw SystemError.last.error("protect", path) }
        }
    }

    /// Waits for the exclusive lock on the file, which lasts until the file is closed.
    func lock() throws(PushCryptError) {
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError.last.error("lock", path) }
        }
    }

    /// Takes the exclusive lock on the file if nobody has it, and says whether that was so.
    func lockIfFree() throws(PushCryptError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw SystemError.last.error("lock", path) }
        }
        return true
    }

    /// Goes to a place in the file, from which the next read or write goes on.
    func seek(to offset: Int) throws(PushCryptError) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw SystemError.last.error("use", path) }
    }

    /// Cuts the file, or fills it up with zeros, to a length.
    func setLength(_ length: Int) throws(PushCryptError) {
        while ftruncate(number, off_t(length)) != 0 {
            guard errno == EINTR else { throw SystemError.last.error("cut", path) }
        }
    }

    /// Reads from the file until a span is full or the file ends, and returns how many bytes there were.
    func read(into bytes: inout MutableSpan<UInt8>) throws(PushCryptError) -> Int {
        let (count, failure) = unsafe bytes.withUnsafeMutableBytes { bytes -> (Int, SystemError?) in
            var done = 0
            while done < bytes.count {
                let count = unsafe systemRead(number, UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
                if count == 0 { break }
                if count > 0 { done += count } else if errno != EINTR { return (done, .last) }
            }
            return (done, nil)
        }
        if let failure { throw failure.error("read", path) }
        return count
    }

    /// Reads once into a part of a span, as much as is there and fits; 0 at the end.
    package func readOnce(into bytes: inout MutableSpan<UInt8>, _ part: Range<Int>) throws(PushCryptError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe systemRead(number, UnsafeMutableRawBufferPointer(rebasing: bytes[part]))
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError.last.error("read", path) }
        }
    }

    /// Writes all of some bytes.
    package func write(_ bytes: Span<UInt8>) throws(PushCryptError) {
        let failure = unsafe bytes.withUnsafeBytes { bytes -> SystemError? in
            var done = 0
            while done < bytes.count {
                let count = unsafe systemWrite(number, UnsafeRawBufferPointer(rebasing: bytes[done...]))
                // No disk takes nothing of something and says that all is well.
                if count == 0 { return SystemError(number: EIO) }
                if count > 0 { done += count } else if errno != EINTR { return .last }
            }
            return nil
        }
        if let failure { throw failure.error("write", path) }
    }

    /// Waits until what was written has reached the disk.
    func sync() throws(PushCryptError) {
        #if canImport(Darwin)
        // fsync(2) there leaves it to the disk when to write; this does not. Where a file system does not know it, fsync
        // is what there is.
        if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(number) != 0 {
            guard errno == EINTR else { throw SystemError.last.error("sync", path) }
        }
    }
}

// Outside of the type, whose methods of the same names would hide the system's functions.
private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(number, bytes.baseAddress, bytes.count)
}

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(number, bytes.baseAddress, bytes.count)
}
