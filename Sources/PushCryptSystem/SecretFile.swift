package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file with private keys, which is read into guarded memory and replaced atomically.
package struct SecretFile: Sendable {
    /// The path of the file.
    package let path: String

    /// The maximum length in bytes, which keeps a wrong path from filling the guarded memory.
    private static let maximumLength = 1 << 20

    private let lockPatience: Int

    /// Creates a description of a file without opening it; the patience with its lock is in
    /// milliseconds.
    package init(_ path: String, lockPatience: Int = 10_000) {
        self.path = path
        self.lockPatience = lockPatience
    }

    /// Reads the file, or its temporary file; a private file is rejected if other users can access
    /// or replace it.
    ///
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile` or `fileSystemError`.
    package func read(from name: String? = nil, isPrivate: Bool = true) throws(PushCryptError)
        -> SecretBytes
    {
        if isPrivate { try FileSystem.checkDirectory(of: path) }
        // O_NONBLOCK, because opening a pipe without a writer would wait forever.
        let file = try FileDescriptor(
            name ?? path, O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0), for: path)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PushCryptError(.insecureFile, "\(path) is not a regular file. Name a key file.")
        }
        if isPrivate {
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw PushCryptError(
                    .insecureFile,
                    """
                    \(path) belongs to another user, who can change it. Change its owner with \
                    chown.
                    """)
            }
            guard status.st_mode & 0o077 == 0 else {
                throw PushCryptError(
                    .insecureFile,
                    "Other users can access the secrets in \(path). Run: chmod 600 \(path)")
            }
            if status.st_nlink > 1, try !isBeingCreated(file) {
                throw PushCryptError(
                    .insecureFile, "\(path) has another name (a hard link). Remove the other name.")
            }
        }
        guard status.st_size <= Self.maximumLength else { throw tooLarge(Int(status.st_size)) }
        let expected = Int(status.st_size)
        return try SecretBytes(count: expected) { (bytes) throws(PushCryptError) in
            guard try file.read(into: &bytes) == expected else {
                throw PushCryptError(
                    .fileSystemError, "Another process changed \(path) during the read. Try again.")
            }
        }
    }

    /// Reads the file as ``read(from:isPrivate:)`` does, or returns `nil` if it doesn't exist.
    package func readIfPresent(isPrivate: Bool = true) throws(PushCryptError) -> SecretBytes? {
        do throws(PushCryptError) {
            return try read(isPrivate: isPrivate)
        } catch {
            guard error.code == .fileNotFound else { throw error }
            return nil
        }
    }

    /// Returns a Boolean value that indicates whether the other name of a file with two names is
    /// temporary, as for a moment of its creation.
    private func isBeingCreated(_ file: borrowing FileDescriptor) throws(PushCryptError) -> Bool {
        let status = try file.status()
        let isTemporary = FileSystem.temporaryFiles(for: path).contains {
            FileSystem.isName($0, of: status)
        }
        if status.st_nlink == 2, isTemporary { return true }
        return try file.status().st_nlink < 2
    }

    /// Creates the file, which must not exist.
    ///
    /// - Throws: ``PushCryptError`` with `fileExists` or `fileSystemError`. The file wasn't
    ///   created, unless the sync of its name failed.
    package func create(_ contents: SecretBytes) throws(PushCryptError) {
        try write(contents) { (temporary) throws(PushCryptError) in
            try FileSystem.add(path, for: temporary)
        }
    }

    /// Replaces the contents of the file; readers see the old or the new contents.
    ///
    /// - Throws: ``PushCryptError`` with `fileSystemError`. The old file is unchanged, unless the
    ///   sync of the new name failed.
    package func replace(_ contents: SecretBytes) throws(PushCryptError) {
        try write(contents) { (temporary) throws(PushCryptError) in
            try FileSystem.replace(path, with: temporary)
        }
    }

    /// Deletes the file under its lock, if it exists, and syncs the directory.
    package func delete() throws(PushCryptError) {
        try withLock { () throws(PushCryptError) in
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw SystemError.current.error(for: path, "delete")
            }
            try FileDescriptor(FileSystem.directory(of: path), O_RDONLY | O_DIRECTORY).sync()
        }
    }

    private func write(
        _ contents: SecretBytes, publish: (String) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        // A longer file couldn't be read again.
        guard contents.count <= Self.maximumLength else { throw tooLarge(contents.count) }
        try FileSystem.checkDirectory(of: path)
        try AtomicFile.write(to: path, isPrivate: true) { (file) throws(PushCryptError) in
            try contents.withSpan { (bytes) throws(PushCryptError) in try file.write(bytes) }
        } publish: { (temporary) throws(PushCryptError) in
            // A key that wasn't stored must neither be published nor replace a stored key.
            guard try read(from: temporary).isEqual(to: contents) else {
                throw PushCryptError(
                    .fileSystemError, "\(path) differs from the written bytes. Check the disk.")
            }
            try publish(temporary)
        }
    }

    private func tooLarge(_ length: Int) -> PushCryptError {
        PushCryptError(
            .fileSystemError,
            """
            \(path) has \(length) bytes, and a key file has at most \(Self.maximumLength). \
            Destroy keys you don't need.
            """)
    }

    /// Calls a closure while no other process or thread holds the lock of the file, which is the
    /// file `path.lock`.
    ///
    /// - Parameters:
    ///   - isPrivate: `false` for a file that others can read, such as a list of accepted keys.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: ``PushCryptError`` with `insecureFile`, `lockTimeout`, `fileNotFound` or
    ///   `fileSystemError`, or the error of the closure.
    package func withLock<Result>(
        isPrivate: Bool = true, _ body: () throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        guard
            !["", ".", ".."].contains(
                path.split(separator: "/", omittingEmptySubsequences: false).last)
        else {
            throw PushCryptError(.insecureFile, "\(path) is a directory. Name a file.")
        }
        try FileSystem.checkDirectory(of: path)
        let lock = try FileDescriptor.locking(path + ".lock", patience: lockPatience)
        // A process that was killed during a write left a file, which may have private keys. No
        // process writes it under the lock.
        for file in FileSystem.temporaryFiles(for: path, isPrivate: isPrivate) {
            FileSystem.remove(file)
        }
        let result = try body()
        _ = consume lock
        return result
    }
}
