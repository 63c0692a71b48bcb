package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file that is written completely under a temporary name and then renamed.
struct AtomicFile {
    /// The final path.
    let path: String
    /// A Boolean value that indicates whether the mode is 0600; otherwise the umask decides.
    let isPrivate: Bool

    /// Writes the file, and calls a closure that renames it from its temporary path.
    ///
    /// - Throws: ``PushCryptError`` with `fileExists`, `insecureFile` or `fileSystemError`; the temporary file is removed.
    func write(
        _ contents: Span<UInt8>, publish: (String) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        // Opened first, because after the rename only the sync may fail.
        let directory = try FileDescriptor(FileSystem.directory(of: path), O_RDONLY | O_DIRECTORY)
        let temporary = try FileSystem.temporaryName(for: path)
        let mode: UInt16 = isPrivate ? 0o600 : 0o666
        let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, for: path)
        do throws(PushCryptError) {
            // Under a umask of 0777, the owner could not read the file.
            if isPrivate { try file.setMode(mode) }
            try file.write(contents)
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
    /// - Throws: ``PushCryptError`` with `insecureFile`, `fileNotFound` or `fileSystemError`; an existing file is unchanged.
    package static func write(
        _ contents: [UInt8], to path: String, isPrivate: Bool
    ) throws(PushCryptError) {
        guard FileSystem.isFreeOrRegularFile(path) else {
            throw PushCryptError(.insecureFile, "\(path) is not a regular file. Name another file.")
        }
        try AtomicFile(path: path, isPrivate: isPrivate).write(contents.span) { (temporary) throws(PushCryptError) in
            try FileSystem.replace(path, with: temporary)
        }
    }
}
