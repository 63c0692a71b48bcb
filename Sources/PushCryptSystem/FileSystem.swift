package import PushCryptCore
package import PushCryptFoundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Operations on the names of files, without opening the files.
package enum FileSystem {
    /// Returns the directory of a file.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Checks that other users can't replace the files of a file's directory.
    ///
    /// In a sticky directory, such as `/tmp`, other users can create files but not replace them. A
    /// file that another user created has another owner.
    static func checkDirectory(of path: String) throws(PushCryptError) {
        let directory = directory(of: path)
        var status = stat()
        guard unsafe stat(directory, &status) == 0 else {
            throw SystemError.current.error(for: directory, "examine")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw PushCryptError(
                .insecureFile,
                """
                The directory \(directory) belongs to another user, who can replace its files. \
                Run the command as that user, or use another directory.
                """)
        }
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw PushCryptError(
                .insecureFile,
                """
                The directory \(directory) lets other users replace files. \
                Use another, or run: chmod go-w \(directory)
                """)
        }
    }

    /// Returns a Boolean value that indicates whether two paths lead to one file.
    package static func isSameFile(_ path: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Renames a file to a name that may exist, atomically.
    static func replace(_ path: String, with temporary: String) throws(PushCryptError) {
        guard unsafe rename(temporary, path) == 0 else {
            throw SystemError.current.error(for: path, "replace")
        }
    }

    /// Renames a file to a name that must not exist.
    ///
    /// link(2) fails if the name exists. On a file system without hard links, the name is checked
    /// first, which suffices among processes that hold the file's lock.
    static func add(_ path: String, for temporary: String) throws(PushCryptError) {
        if unsafe link(temporary, path) == 0 {
            remove(temporary)
            return
        }
        let error = SystemError.current
        guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK].contains(error.number) else {
            throw error.error(for: path, "create")
        }
        guard status(of: path) == nil else {
            throw SystemError(number: EEXIST).error(for: path, "create")
        }
        guard errno == ENOENT else { throw SystemError.current.error(for: path, "examine") }
        try replace(path, with: temporary)
    }

    /// Deletes a file if it exists.
    package static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// Returns a Boolean value that indicates whether a path still names an open file; links aren't
    /// followed.
    static func isName(_ path: String, of file: stat) -> Bool {
        guard let status = status(of: path) else { return false }
        return status.st_dev == file.st_dev && status.st_ino == file.st_ino
    }

    /// Returns numbers that differ after a change of a file or of the link to it; `nil` if the call
    /// fails.
    package static func stamp(of path: String) -> [Int]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
        #else
        let times = [status.st_mtim, status.st_ctim]
        #endif
        return [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
            Int(status.st_size),
        ]
            + times.flatMap { [$0.tv_sec, $0.tv_nsec] }
    }

    /// Returns the status of a file without following links; `nil`, with `errno`, if the call
    /// fails.
    fileprivate static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// Creates a directory for key files with mode 0700, and the missing directories above it, and
    /// syncs their names.
    ///
    /// - Throws: ``PushCryptError`` with `fileSystemError`, `fileNotFound` or `insecureFile`.
    package static func createDirectory(_ path: String) throws(PushCryptError) {
        let parent = FileSystem.directory(of: path)
        if status(of: parent) == nil, errno == ENOENT { try createDirectory(parent) }
        let directory = try FileDescriptor(parent, O_RDONLY | O_DIRECTORY)
        guard unsafe mkdir(path, 0o700) == 0 else {
            let error = SystemError.current
            if error.number == EEXIST { return }
            throw error.error(for: path, "create")
        }
        // Under a umask of 0777, the owner couldn't use the directory.
        guard unsafe chmod(path, 0o700) == 0 else {
            throw SystemError.current.error(for: path, "change the mode of")
        }
        try directory.sync()
    }

    /// Checks that a directory is this user's alone to change: what is deleted in it must not be
    /// another one's.
    ///
    /// - Throws: ``PushCryptError`` with `insecureFile` if it's a link or isn't a directory of this
    ///   user, or if other users can write to it; `fileNotFound` or `fileSystemError`.
    package static func checkOwnDirectory(_ path: String) throws(PushCryptError) {
        guard let status = status(of: path) else {
            throw SystemError.current.error(for: path, "examine")
        }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        guard isDirectory, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw PushCryptError(
                .insecureFile,
                "\(path) isn't a directory that this user alone can change. Remove it or its link.")
        }
    }

    // MARK: Temporary files

    /// Moves a file to a new path on the same file system.
    package static func move(_ path: String, to new: String) throws(PushCryptError) {
        try replace(new, with: path)
    }

    /// Deletes a directory unless it has files.
    package static func removeEmptyDirectory(_ path: String) {
        _ = unsafe rmdir(path)
    }

    /// Deletes files that killed processes have left in a directory, by their names and an age in
    /// seconds.
    package static func removeLeftovers(
        in directory: String, olderThan age: TimeInterval, isLeftover: (String) -> Bool
    ) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] where isLeftover(name)
        {
            let path = "\(directory)/\(name)"
            let date = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let date, -date.timeIntervalSinceNow > age { try? files.removeItem(atPath: path) }
        }
    }

    /// Sets the directory for the temporary files of Foundation, before another thread runs.
    package static func setTemporaryDirectory(_ path: String) {
        _ = unsafe setenv("TMPDIR", path, 1)
    }

    private static let temporaryMark = ".pushcrypt-"

    /// Returns a random name for a file that will replace another file.
    static func temporaryName(for path: String) throws(PushCryptError) -> String {
        var random = [UInt8](repeating: 0, count: 9)
        try RandomBytes.fill(&random, 0..<9)
        return "\(path)\(temporaryMark)\(Base64URL.encode(random)).tmp"
    }

    /// Returns a Boolean value that indicates whether a name belongs to a temporary file for a
    /// file.
    package static func isTemporary(_ name: String, for path: String) -> Bool {
        let start = (path.split(separator: "/").last ?? "") + temporaryMark
        return name.hasPrefix(start) && name.hasSuffix(".tmp")
            && name.utf8.count == start.utf8.count + 12 + 4
    }

    /// Returns the temporary files of this user for a file, which only the holder of its lock may
    /// delete.
    ///
    /// Those of a private file have mode 0600, and those of another file have the mode of the
    /// umask.
    static func temporaryFiles(for path: String, isPrivate: Bool = true) -> [String] {
        let directory = directory(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { isTemporary($0, for: path) }.map { "\(directory)/\($0)" }.filter {
            file in
            guard let status = status(of: file), status.st_uid == geteuid() else { return false }
            return status.st_mode & S_IFMT == S_IFREG
                && (!isPrivate || status.st_mode & 0o777 == 0o600)
        }
    }
}

/// A file that is written completely under a temporary name and then renamed.
enum AtomicFile {
    /// Writes a file with mode 0600 or by the umask, and calls a closure that renames it from its
    /// temporary path.
    ///
    /// - Throws: ``PushCryptError`` with `fileExists`, `insecureFile` or `fileSystemError`; the
    ///   temporary file is removed.
    static func write(
        to path: String, isPrivate: Bool,
        contents: (borrowing FileDescriptor) throws(PushCryptError) -> Void,
        publish: (String) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        // Opened first, because after the rename only the sync may fail.
        let directory = try FileDescriptor(FileSystem.directory(of: path), O_RDONLY | O_DIRECTORY)
        let temporary = try FileSystem.temporaryName(for: path)
        let mode: UInt16 = isPrivate ? 0o600 : 0o666
        let file = try FileDescriptor(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, for: path)
        do throws(PushCryptError) {
            // Under a umask of 0777, the owner couldn't read the file.
            if isPrivate { try file.setMode(mode) }
            try contents(file)
            try file.sync()
            try publish(temporary)
        } catch {
            FileSystem.remove(temporary)
            throw error
        }
        // The new name reaches the disk with the directory.
        try directory.sync()
    }
}

/// A file for the output of a program, which is written completely or not at all.
package enum OutputFile {
    /// Writes a file with mode 0600 or by the umask, and replaces an existing regular file.
    ///
    /// - Throws: ``PushCryptError`` with `insecureFile`, `fileNotFound` or `fileSystemError`; an
    ///   existing file is unchanged.
    package static func write(
        _ contents: [UInt8], to path: String, isPrivate: Bool
    ) throws(PushCryptError) {
        try write(to: path, isPrivate: isPrivate) { (file) throws(PushCryptError) in
            try file.write(contents.span)
        }
    }

    /// Writes a file as ``write(_:to:isPrivate:)`` does, with the contents that a closure writes.
    package static func write(
        to path: String, isPrivate: Bool,
        contents: (borrowing FileDescriptor) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        let status = FileSystem.status(of: path)
        guard status.map({ $0.st_mode & S_IFMT == S_IFREG }) ?? (errno == ENOENT) else {
            throw PushCryptError(.insecureFile, "\(path) is not a regular file. Name another file.")
        }
        try AtomicFile.write(to: path, isPrivate: isPrivate, contents: contents) {
            (temporary) throws(PushCryptError) in
            try FileSystem.replace(path, with: temporary)
        }
    }
}
