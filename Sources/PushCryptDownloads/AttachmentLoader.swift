internal import Dispatch
internal import Foundation
internal import PushCryptAttachments
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
internal import PushCryptReceiver
internal import PushCryptSystem

/// Loads the attachments of a notification, and leaves no damaged file on disk.
package struct AttachmentLoader: Sendable {
    /// The age of a file that a killed process has left, in seconds: longer than an extension runs.
    static let leftoverAge: TimeInterval = 120

    /// The name of the subdirectory in which the loader works, because the other files of a
    /// directory are the user's.
    static let directoryName = "pushcrypt-attachments"

    private static let mark = "pushcrypt-"

    /// Returns the subdirectory of a directory in which the loader works.
    package static func ownDirectory(in directory: String) -> String {
        "\(directory)/\(directoryName)"
    }

    /// Returns the path of a new file in the loader's directory, which a later call removes.
    package static func newPath(in ownDirectory: String) -> String {
        "\(ownDirectory)/\(mark)\(UUID().uuidString)"
    }

    /// Returns the path at which the tool keeps a file, under a name that no later call removes.
    package static func keptPath(of path: String, in directory: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return
            """
            \(directory)/\(name.hasPrefix(mark) ? "attachment-\(name.dropFirst(mark.count))" : name)
            """
    }

    /// Returns a Boolean value that indicates whether a name is one of ``newPath(in:)``, perhaps
    /// with an extension.
    private static func isOwn(_ name: String) -> Bool {
        guard name.hasPrefix(mark) else { return false }
        let unique = name.dropFirst(mark.count)
        let idLength = 36
        guard UUID(uuidString: String(unique.prefix(idLength))) != nil else { return false }
        let rest = unique.dropFirst(idLength)
        return rest.isEmpty || rest.first == "."
    }

    let downloader: any AttachmentDownloader
    /// The directory in which the loader works.
    let directory: String
    let turn: DownloadTurn

    /// Returns the most preferred attachment that can be used, `nil` for an empty list, or throws
    /// the first error.
    ///
    /// It tries one after the other, and gives each the same share of the time that is left.
    func load(
        _ attachments: [MediaAttachment], timeout: TimeInterval
    ) async throws(PushCryptError) -> LoadedAttachment? {
        let attachments = Array(attachments.prefix(4))
        if attachments.isEmpty { return nil }
        let start = DispatchTime.now()
        // An hour is longer than any request.
        let timeout = timeout.isNaN ? 0 : min(max(timeout, 0), 3600)
        try FileSystem.createDirectory(directory)
        // A link could lead to the user's files.
        try FileSystem.checkOwnDirectory(directory)
        FileSystem.removeLeftovers(
            in: directory, olderThan: Self.leftoverAge, isLeftover: Self.isOwn)
        guard await turn.begin(timeout: timeout) else {
            throw Self.failure(
                .downloadFailed,
                "The time was over before the downloads of other notifications ended")
        }
        defer { turn.end() }
        var first: PushCryptError?
        for (index, attachment) in attachments.enumerated() where first == nil || !Task.isCancelled
        {
            let left =
                timeout - Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)
                / 1e9
            do throws(PushCryptError) {
                return try await load(
                    attachment, timeout: max(left, 0) / Double(attachments.count - index))
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
        return nil
    }

    private func load(
        _ attachment: MediaAttachment, timeout: TimeInterval
    ) async throws(PushCryptError) -> LoadedAttachment {
        let type = attachment.type
        guard let url = attachment.address, let fileExtension = type.fileExtension else {
            throw Self.failure(.malformedAttachment, "Its address or its type isn't known")
        }
        let path = Self.newPath(in: directory)
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try await downloader.download(
                url, to: path,
                maximumLength: attachment.seal.map { AttachmentFormat.sealedLength($0.length) }
                    ?? type.maximumLength,
                timeout: timeout)
        } catch {
            // The error of another downloader may contain anything.
            throw error as? PushCryptError
                ?? Self.failure(.downloadFailed, "It threw \(Swift.type(of: error))")
        }
        let file = "\(path).\(fileExtension)"
        try Self.open(attachment, path, to: file)
        return LoadedAttachment(path: file, attachment: attachment)
    }

    /// Opens and checks a downloaded file.
    private static func open(
        _ attachment: MediaAttachment, _ path: String, to file: String
    ) throws(PushCryptError) {
        let type = attachment.type
        try OutputFile.write(to: file, isPrivate: true) { (output) throws(PushCryptError) in
            var start: [UInt8] = []
            try read(path, of: attachment) { (part) throws(PushCryptError) in
                start += [UInt8](copying: part.extracting(first: 12 - start.count))
                guard MediaType(contentsBeginningWith: start) == type else {
                    throw failure(
                        .unsupportedMedia, "Its contents don't have the type \(type.rawValue)")
                }
                try output.write(part)
            }
            guard !start.isEmpty else { throw failure(.unsupportedMedia, "It is empty") }
        }
    }

    /// Calls a closure with the parts of a file, which is opened if it is sealed.
    private static func read(
        _ path: String, of attachment: MediaAttachment,
        _ write: (Span<UInt8>) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        let file = try FileDescriptor.reading(path)
        var buffer = [UInt8](repeating: 0, count: AttachmentFormat.chunkLength)
        guard let seal = attachment.seal else {
            // Another downloader may not have a limit.
            guard try file.length() <= attachment.type.maximumLength else {
                throw failure(
                    .unsupportedMedia, "It has more than \(attachment.type.maximumLength) bytes")
            }
            while let part = try file.next(&buffer) { try write(buffer.span.extracting(part)) }
            return
        }
        var decryption = try AttachmentDecryption(seal)
        while let part = try file.next(&buffer) {
            try decryption.update(buffer.span.extracting(part), write)
        }
        try decryption.finish()
    }

    static func failure(_ code: PushCryptError.Code, _ problem: String) -> PushCryptError {
        PushCryptError(code, "The attachment can't be shown. \(problem). Check the sender.")
    }
}

extension FileDescriptor {
    /// Reads the next bytes to the beginning of a buffer, and returns their range; `nil` at the end
    /// of the file.
    fileprivate func next(_ buffer: inout [UInt8]) throws(PushCryptError) -> Range<Int>? {
        var span = buffer.mutableSpan
        let count = try read(into: &span)
        return count > 0 ? 0..<count : nil
    }
}
