public import PushCryptCore
internal import PushCryptKeyring
public import PushCryptPayload

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
    /// Upload the sealed file to the address, to any server. It reveals the length up to 12 % and nothing else. Seal the
    /// payload, because the attachment's key opens the file. The file is never in memory as a whole.
    ///
    /// Source: libsodium, `crypto_secretstream_xchacha20poly1305`.
    ///
    /// - Parameters:
    ///   - path: The file: at most 10 MB of an image, 5 MB of audio or 50 MB of a video.
    ///   - output: The path of the sealed file. An existing file is replaced when the new one is complete.
    ///   - url: The address for the download.
    ///   - type: The type of the file; `nil` recognizes it by the first bytes.
    ///   - name: The name of the file; `nil` hides it from the device too.
    ///   - hidesThumbnail: A Boolean value that indicates whether the notification hides the thumbnail.
    ///   - progress: A closure that is called with the sealed bytes and the length of the file after each 64 KiB.
    /// - Throws: ``PushCryptError`` with `malformedAttachment` for an address without a server, `unsupportedMedia` for a file
    ///   that the system doesn't show, a file error or `sodiumUnavailable`.
    public init(
        sealing path: String, to output: String, url: String, type: MediaType? = nil, name: String? = nil,
        hidesThumbnail: Bool = false, progress: (_ done: Int, _ length: Int) -> Void = { _, _ in }
    ) throws(PushCryptError) {
        self.init(url: url, type: type ?? MediaType(rawValue: ""), name: name, hidesThumbnail: hidesThumbnail)
        guard address != nil else {
            throw PushCryptError(.malformedAttachment, "The address isn't valid. Give a URL that begins with https://.")
        }
        let file = try FileDescriptor.reading(path)
        let length = try file.length()
        var found: MediaType?
        var seal: Seal?
        // No sealing takes an hour, so an older file is from a killed process.
        let prefix = (output.split(separator: "/").last ?? "") + FileSystem.temporaryMark
        FileSystem.removeLeftovers(in: FileSystem.directory(of: output), olderThan: 3600) { $0.hasPrefix(prefix) }
        try OutputFile.write(to: output, isPrivate: false) { (output) throws(PushCryptError) in
            (found, seal) = try Self.seal(file, length, type, to: output, progress)
        }
        if let found { self.type = found }
        self.seal = seal
    }

    private static func seal(
        _ file: borrowing FileDescriptor, _ length: Int, _ type: MediaType?, to output: borrowing FileDescriptor,
        _ progress: (Int, Int) -> Void
    ) throws(PushCryptError) -> (MediaType, Seal) {
        var start: [UInt8] = []
        var encryption = try AttachmentEncryption(length: length, start: &start)
        try output.write(start.span)
        var found: MediaType?
        var left = length
        while encryption.nextLength > 0 {
            var chunk = [UInt8](repeating: 0, count: encryption.nextLength)
            let wanted = min(left, chunk.count)
            var span = chunk.mutableSpan
            guard try file.read(into: &span) == wanted else { throw changed }
            if found == nil { found = try check(type, length, Array(chunk.prefix(min(wanted, 12)))) }
            left -= wanted
            try output.write(encryption.seal(chunk.span).span)
            progress(length - left, length)
        }
        guard try file.length() == length, let found else { throw changed }
        return (found, encryption.finish())
    }

    private static let changed = PushCryptError(
        .fileSystemError, "Another process changed the file during the read. Try again.")

    /// Returns the type of a file that the system shows, or throws an error.
    private static func check(_ type: MediaType?, _ length: Int, _ start: [UInt8]) throws(PushCryptError) -> MediaType {
        guard let found = MediaType(contentsBeginningWith: start) else {
            let types = MediaType.supported.map(\.type.rawValue).joined(separator: ", ")
            throw unsupported("Its contents are of none of these types: \(types)")
        }
        guard type == nil || type == found else {
            throw unsupported("Its contents have the type \(found.rawValue), not \(type?.rawValue ?? "")")
        }
        guard length <= found.maximumLength else {
            throw unsupported("It has \(length) bytes, and \(found.rawValue) at most \(found.maximumLength)")
        }
        return found
    }

    private static func unsupported(_ problem: String) -> PushCryptError {
        PushCryptError(.unsupportedMedia, "The system doesn't show this file. \(problem). Convert the file.")
    }
}
