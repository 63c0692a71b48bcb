package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Files that hold private keys: read into guarded memory, written so that a crash leaves the old file or the new one.
package struct SecretFile: Sendable {
    /// Where the file is.
    package let path: String

    /// More than any keyring has; a limit keeps a wrong path from filling the guarded memory.
    private static let maximumLength = 1 << 20

    /// Names a file.
    ///
    /// Nothing is opened yet.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads the file.
    ///
    /// - Parameter isPrivate: whether to insist that nobody else may read the file, as for private keys.
    /// - Returns: all of the file.
    /// - Throws: ``PushCryptError`` with `fileNotFound`, `insecureFile` or `fileSystemError`.
    package func read(isPrivate: Bool = true) throws(PushCryptError) -> SecretBytes {
        try read(path, isPrivate: isPrivate)
    }

    /// Reads a file that may have another name than the one that messages call it by.
    private func read(_ name: String, isPrivate: Bool) throws(PushCryptError) -> SecretBytes {
        // O_NONBLOCK: to open a pipe that nobody writes to would wait for ever. It means nothing for plain files.
        let file = try FileDescriptor(name, O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0), for: path)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PushCryptError(
                .insecureFile, "\(path) is no plain file. Name a key file, not a folder, a pipe or a device.")
        }
        if isPrivate {
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw PushCryptError(
                    .insecureFile, "\(path) belongs to another user, who could change it. Make it yours: chown.")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw PushCryptError(
                    .insecureFile,
                    "Other users may use \(path), and must not where it holds private keys. Run: chmod 600 \(path)")
            }
        }
        guard status.st_size <= Self.maximumLength else {
            throw PushCryptError(.fileSystemError, "\(path) is too large for a key file: \(status.st_size) bytes.")
        }
        let expected = Int(status.st_size)
        return try SecretBytes(count: expected) { (bytes) throws(PushCryptError) in
            guard try file.read(into: &bytes) == expected else {
                throw PushCryptError(.fileSystemError, "\(path) was changed while it was read. Try again.")
            }
        }
    }

    /// Refuses to write what could not be read again.
    private func checkLength(_ contents: SecretBytes) throws(PushCryptError) {
        guard contents.count <= Self.maximumLength else {
            throw PushCryptError(
                .fileSystemError, "\(path) would become too large for a key file: \(contents.count) bytes.")
        }
    }

    /// Makes the file.
    ///
    /// It must not exist.
    ///
    /// - Throws: ``PushCryptError`` with `fileExists` or `fileSystemError`; then no file was made, unless it is the disk that
    ///   failed when the finished file's name was synced.
    package func create(_ contents: SecretBytes) throws(PushCryptError) {
        try checkLength(contents)
        try contents.read { (bytes) throws(PushCryptError) in
            try AtomicFile(path, isPrivate: true).write(bytes) { (temporary) throws(PushCryptError) in
                try checkStored(contents, in: temporary)
                try FileNames.add(path, for: temporary)
            }
        }
    }

    /// Puts new contents in the place of the old ones; whoever reads sees the one or the other.
    ///
    /// - Throws: ``PushCryptError`` with `fileSystemError`; then the old file is untouched, unless it is the disk that failed
    ///   when the new file's name was synced.
    package func replace(_ contents: SecretBytes) throws(PushCryptError) {
        try checkLength(contents)
        try contents.read { (bytes) throws(PushCryptError) in
            try AtomicFile(path, isPrivate: true).write(bytes) { (temporary) throws(PushCryptError) in
                try checkStored(contents, in: temporary)
                try FileNames.replace(path, with: temporary)
            }
        }
    }

    /// Reads back what was written: a key that is not there must not be announced, nor take the place of one that is.
    private func checkStored(_ contents: SecretBytes, in temporary: String) throws(PushCryptError) {
        guard try read(temporary, isPrivate: true).isEqual(to: contents) else {
            throw PushCryptError(.fileSystemError, "\(path) reads otherwise than it was written. Check the disk.")
        }
    }

    /// Runs a step while no other process or thread runs one for the same file.
    ///
    /// The lock is on a file of its own, `.lock` behind the name: the file itself is replaced, and a lock on it would stay
    /// with the old one.
    package func withLock<Result>(_ body: () throws(PushCryptError) -> Result) throws(PushCryptError) -> Result {
        guard FileNames.namesFile(path) else {
            throw PushCryptError(.insecureFile, "\(path) is the name of a folder. Name a file.")
        }
        let lock = try FileDescriptor(
            path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, for: path)
        // Under a strange umask the file would be made so that its owner cannot open it a second time.
        if try lock.status().st_uid == geteuid() { try lock.setMode(0o600) }
        try lock.lock()
        // Whoever was killed while writing has left a file with private keys behind; nobody else writes now.
        FileNames.removeLeftovers(of: path)
        let result = try body()
        _ = consume lock
        return result
    }
}
