internal import PushCryptCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Writes a whole new file beside the place where it will stand, and puts it there at one stroke.
struct AtomicFile {
    private let path: String
    private let isPrivate: Bool

    /// Names the place.
    ///
    /// - Parameters:
    ///   - path: where the file will stand.
    ///   - isPrivate: whether its mode is 0600; otherwise the umask decides.
    init(_ path: String, isPrivate: Bool) {
        self.path = path
        self.isPrivate = isPrivate
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - contents: what is in it.
    ///   - publish: puts the finished file, whose name it gets, in its place.
    /// - Throws: ``PushCryptError`` with `fileExists`, `insecureFile` or `fileSystemError`; nothing is left behind.
    func write(
        _ contents: Span<UInt8>, publish: (String) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        // Opened first: once the new file is in its place, nothing may fail any more but the disk itself.
        let folder = try FileDescriptor(FileNames.folder(of: path), O_RDONLY | O_DIRECTORY)
        let temporary = FileNames.temporary(for: path, try Self.randomSuffix())
        let mode: UInt16 = isPrivate ? 0o600 : 0o666
        let file = try FileDescriptor(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, for: path)
        do throws(PushCryptError) {
            // A umask of 0777 would make a file that not even its owner can read.
            if isPrivate { try file.setMode(mode) }
            try file.write(contents)
            try file.sync()
            try publish(temporary)
        } catch {
            FileNames.remove(temporary)
            throw error
        }
        // The new name reaches the disk with the folder.
        try folder.sync()
    }

    private static func randomSuffix() throws(PushCryptError) -> String {
        var bytes = [UInt8](repeating: 0, count: 9)
        try RandomBytes.fill(&bytes, 0..<9)
        return Base64URL.encode(bytes)
    }
}
