internal import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The names of files: what is done with them without opening them.
package enum FileNames {
    /// The folder that has a name.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Puts a file in the place of another, at one stroke.
    static func replace(_ path: String, with temporary: String) throws(PushCryptError) {
        guard unsafe rename(temporary, path) == 0 else { throw SystemError.last.error("replace", path) }
    }

    /// Moves a file to a name that must not exist yet, and overwrites nothing.
    ///
    /// link(2) is the call for that which every system has. Some file systems have no hard links; there the name is looked
    /// at first, which is enough among those who hold the file's lock.
    static func add(_ path: String, for temporary: String) throws(PushCryptError) {
        if unsafe link(temporary, path) == 0 {
            remove(temporary)
            return
        }
        let trouble = SystemError.last
        guard trouble.meansNoHardLinks else { throw trouble.error("make", path) }
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
            throw PushCryptError(.fileExists, "\(path) exists already and is not overwritten.")
        }
        guard errno == ENOENT else { throw SystemError.last.error("examine", path) }
        try replace(path, with: temporary)
    }

    /// The name that a file has until it is in its place: nobody else gives a name like it.
    static func temporary(for path: String, _ random: String) -> String { "\(path)\(temporaryMark)\(random).tmp" }

    private static let temporaryMark = ".pushcrypt-"

    /// Removes the files that were to become a file, and whose writers were killed before they did.
    ///
    /// Only the holder of the file's lock may do this. What cannot be removed stays: it is no reason to do nothing.
    static func removeLeftovers(of path: String) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let start = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...] + temporaryMark
        guard let listing = unsafe opendir(folder) else { return }
        defer { _ = unsafe closedir(listing) }
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(start), name.hasSuffix(".tmp"), name.utf8.count == start.utf8.count + 12 + 4,
                isOwnPrivateFile(folder + name)
            else { continue }
            remove(folder + name)
        }
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// Whether a plain file of this user has this name, of mode 0600.
    private static func isOwnPrivateFile(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600 && status.st_uid == geteuid()
    }

    /// Whether a path ends with the name of a file, and not with a slash or with dots.
    static func namesFile(_ path: String) -> Bool {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return !["", ".", ".."].contains(name)
    }

    /// Whether nothing has this name, or a plain file has it.
    ///
    /// Links are not followed.
    static func isFreeOrPlainFile(_ path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a path still names the file whose status this is.
    ///
    /// Links are not followed.
    static func isName(_ path: String, of file: stat) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return status.st_dev == file.st_dev && status.st_ino == file.st_ino
    }
}
