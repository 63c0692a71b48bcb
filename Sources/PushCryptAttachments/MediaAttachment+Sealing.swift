public import PushCryptCore
internal import PushCryptFoundation
internal import PushCryptKeyring
public import PushCryptPayload
internal import PushCryptSystem

extension MediaAttachment {
    /// Seals a file with a new key for any number of devices, and describes it for the payload.
    ///
    /// ```swift
    /// let photo = try MediaAttachment(
    ///     sealing: photoPath, to: sealedPath, url: "https://media.example.com/4e1f")
    /// var payload = Payload(title: "New photo", body: "From Anna")
    /// payload.attachments = [photo]
    /// ```
    ///
    /// Upload the sealed file to the address, to any server. It reveals the length up to 12 % and
    /// nothing else. Seal the payload, because the attachment's key opens the file. The file is
    /// never in memory as a whole.
    ///
    /// Source: libsodium, `crypto_secretstream_xchacha20poly1305`.
    ///
    /// - Parameters:
    ///   - path: The file: at most 10 MB of an image, 5 MB of audio or 50 MB of a video.
    ///   - output: The path of the sealed file. An existing file is replaced when the new one is
    ///     complete.
    ///   - url: The address for the download.
    ///   - name: The name of the file; `nil` hides it from the device too.
    ///   - hidesThumbnail: A Boolean value that indicates whether the notification hides the
    ///     thumbnail.
    ///   - progress: A closure that is called with the sealed bytes and the length of the file
    ///     after each 64 KiB.
    /// - Throws: ``PushCryptError`` with `malformedAttachment` for an address without a server or
    ///   with a user, `unsupportedMedia` for a file that the system doesn't display, a file error
    ///   or `sodiumUnavailable`.
    public init(
        sealing path: String, to output: String, url: String, name: String? = nil,
        hidesThumbnail: Bool = false,
        progress: (_ done: Int, _ length: Int) -> Void = { _, _ in }
    ) throws(PushCryptError) {
        self.init(
            url: url, type: MediaType(rawValue: ""), name: name, hidesThumbnail: hidesThumbnail)
        guard address != nil else {
            let problem =
                URL(string: url)?.hasUserInformation == true
                ? "names a user or a password" : "isn't valid"
            throw PushCryptError(
                .malformedAttachment,
                "The address \(problem). Give a URL that begins with https:// and the host.")
        }
        guard
            URL(fileURLWithPath: path).resolvingSymlinksInPath()
                != URL(fileURLWithPath: output).resolvingSymlinksInPath()
        else {
            throw PushCryptError(
                .fileExists, "\(output) is the file itself. Name another file for the output.")
        }
        let file = try FileDescriptor.reading(path)
        let length = try file.length()
        var start = [UInt8](repeating: 0, count: min(length, 12))
        var span = start.mutableSpan
        _ = try FileDescriptor.reading(path).read(into: &span)
        self.type = try Self.type(length, start)
        // No sealing takes an hour, so an older file is from a killed process.
        FileSystem.removeLeftovers(in: FileSystem.directory(of: output), olderThan: 3600) {
            FileSystem.isTemporary($0, for: output)
        }
        var seal: Seal?
        try OutputFile.write(to: output, isPrivate: false) { (output) throws(PushCryptError) in
            seal = try Self.seal(file, length: length, to: output, progress)
        }
        self.seal = seal
    }

    private static func seal(
        _ file: borrowing FileDescriptor, length: Int, to output: borrowing FileDescriptor,
        _ progress: (Int, Int) -> Void
    ) throws(PushCryptError) -> Seal {
        let changed = PushCryptError(
            .fileSystemError, "Another process changed the file during the read. Try again.")
        var start: [UInt8] = []
        var encryption = try AttachmentEncryption(length: length, start: &start)
        try output.write(start.span)
        var left = length
        while encryption.nextLength > 0 {
            var chunk = [UInt8](repeating: 0, count: encryption.nextLength)
            let wanted = min(left, chunk.count)
            var span = chunk.mutableSpan
            guard try file.read(into: &span) == wanted else { throw changed }
            left -= wanted
            try output.write(encryption.seal(chunk.span).span)
            progress(length - left, length)
        }
        guard try file.length() == length else { throw changed }
        return encryption.finish()
    }

    /// Returns the type of a file that the system displays, or throws an error.
    private static func type(_ length: Int, _ start: [UInt8]) throws(PushCryptError) -> MediaType {
        guard let found = MediaType(contentsBeginningWith: start) else {
            let types = MediaType.supported.map(\.rawValue).joined(separator: ", ")
            throw unsupported("Its contents are of none of these types: \(types)")
        }
        guard length <= found.maximumLength else {
            throw unsupported(
                "It has \(length) bytes, and \(found.rawValue) at most \(found.maximumLength)")
        }
        return found
    }

    private static func unsupported(_ problem: String) -> PushCryptError {
        PushCryptError(
            .unsupportedMedia,
            "The system doesn't show this file. \(problem). Convert or shorten the file.")
    }
}
