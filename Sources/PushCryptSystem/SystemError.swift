package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The error number of a failed system call.
package struct SystemError {
    let number: Int32

    /// The error of the last system call on this thread.
    package static var current: SystemError { SystemError(number: errno) }

    /// Returns the error for the user, for a file and an operation such as `write`.
    package func error(for path: String, _ operation: String) -> PushCryptError {
        switch number {
        case ENOENT: PushCryptError(.fileNotFound, "\(path) does not exist. Check the path.")
        case EEXIST: PushCryptError(.fileExists, "\(path) exists already. Choose another name.")
        case ELOOP:
            PushCryptError(
                .insecureFile,
                """
                \(path) is a symbolic link. Name the file itself. Read a mounted secret with \
                --mounted or isMounted.
                """)
        default: PushCryptError(.fileSystemError, "Cannot \(operation) \(path): \(text)")
        }
    }

    /// The problem and its fix.
    private var text: String {
        switch number {
        case EACCES, EPERM: "permission denied. Change the permissions."
        case ENAMETOOLONG: "the name is too long. Choose a shorter name."
        case EISDIR: "it is a directory. Name a file."
        case ENOTDIR: "a part of its path is not a directory. Correct the path."
        case ENOSPC, EDQUOT: "no space left. Free space on the disk."
        case EBADF: "it is not open. Open it first."
        case EROFS: "the file system is read-only. Choose another directory."
        case EPIPE: "its reader has closed it. Check that command."
        case EIO: "input/output error. Check the disk."
        case EFBIG: "the file would be too large. Raise the limit of the file size."
        case EMFILE, ENFILE: "too many open files. Close some files."
        default: "system error \(number). Try again."
        }
    }
}
