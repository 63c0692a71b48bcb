package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A folder for key files.
package enum PrivateDirectory {
    /// Makes a folder, and those above it that are missing, for their owner alone.
    ///
    /// A synced file is lost with its folder, if the folder's own name has not reached the disk: here it has.
    ///
    /// - Parameter path: the folder. Where something has this name, nothing is done.
    /// - Throws: ``PushCryptError`` with `fileSystemError`, `fileNotFound` or `insecureFile`.
    package static func make(_ path: String) throws(PushCryptError) {
        let above = FileNames.folder(of: path)
        do throws(PushCryptError) {
            try make(path, in: FileDescriptor(above, O_RDONLY | O_DIRECTORY))
        } catch {
            guard error.code == .fileNotFound, above != path else { throw error }
            try make(above)
            try make(path, in: FileDescriptor(above, O_RDONLY | O_DIRECTORY))
        }
    }

    private static func make(_ path: String, in above: consuming FileDescriptor) throws(PushCryptError) {
        guard unsafe mkdir(path, 0o700) == 0 else {
            let trouble = SystemError.last
            if trouble.number == EEXIST { return }
            throw trouble.error("make", path)
        }
        // Under a umask of 0777 not even its owner could use it.
        guard unsafe chmod(path, 0o700) == 0 else { throw SystemError.last.error("protect", path) }
        try above.sync()
    }
}
