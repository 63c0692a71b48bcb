package import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A system call that failed.
package struct SystemError {
    let number: Int32

    /// The failure of the call that was just made on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// Whether link(2) has failed because the file system has no hard links.
    var meansNoHardLinks: Bool {
        [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK].contains(number)
    }

    /// The error for users.
    ///
    /// - Parameters:
    ///   - doing: what was tried, as in `write`.
    ///   - path: the file.
    /// - Returns: the error.
    package func error(_ doing: String, _ path: String) -> PushCryptError {
        switch number {
        case ENOENT:
            PushCryptError(.fileNotFound, "There is no file \(path).")
        case EEXIST:
            PushCryptError(.fileExists, "\(path) exists already and is not overwritten.")
        case ELOOP:
            PushCryptError(.insecureFile, "\(path) is a symbolic link. Name the key file itself.")
        default:
            PushCryptError(.fileSystemError, "Cannot \(doing) \(path): \(text).")
        }
    }

    private var text: String {
        switch number {
        case EACCES, EPERM: "permission denied"
        case ENAMETOOLONG: "the name is too long"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of its path is no folder"
        case ENOSPC, EDQUOT: "no space left"
        case EBADF: "it is not open"
        case EROFS: "the file system is read-only"
        case EIO: "input/output error"
        case EMFILE, ENFILE: "too many open files"
        default: "system error \(number)"
        }
    }
}
