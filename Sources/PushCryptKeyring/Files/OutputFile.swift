package import PushCryptCore

/// A file that a tool writes its result to: whole, or not at all.
package enum OutputFile {
    /// Writes a file, in the place of one of the same name if there is one.
    ///
    /// - Parameters:
    ///   - contents: what is in it.
    ///   - path: where it stands. A link, a pipe or a device there is refused: it would be replaced by a file.
    ///   - isPrivate: whether its mode is 0600, as for plaintext; otherwise the umask decides.
    /// - Throws: ``PushCryptError`` with `insecureFile`, `fileNotFound` or `fileSystemError`; what was there is untouched.
    package static func write(
        _ contents: [UInt8], to path: String, isPrivate: Bool
    ) throws(PushCryptError) {
        guard FileNames.isFreeOrPlainFile(path) else {
            throw PushCryptError(
                .insecureFile, "\(path) is no plain file and is not replaced by one. Name another file.")
        }
        try AtomicFile(path, isPrivate: isPrivate).write(contents.span) { (temporary) throws(PushCryptError) in
            try FileNames.replace(path, with: temporary)
        }
    }
}
