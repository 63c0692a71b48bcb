public import Foundation
public import PushCryptCore
public import PushCryptPayload
public import PushCryptReceiver

extension AttachmentDownloader {
    /// Downloads and opens the attachment of an authenticated message, as the notification service
    /// extension does.
    ///
    /// The app and a content extension call it with a message that they have opened again:
    ///
    /// ```swift
    /// let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject)
    /// if let push = reader.push,
    ///     let photo = try await URLSessionDownloader(hosts: ["media.example.com"]).attachment(
    ///         of: push, in: directory, timeout: 20)
    /// {
    ///     print(photo.path)
    /// }
    /// ```
    ///
    /// The attachments are tried one after the other, at most four, until one can be used. Each
    /// gets the same share of the time that is left. A process downloads for one call at a time,
    /// and other calls wait within their own time. If the task is cancelled, the download or the
    /// wait ends.
    ///
    /// - Parameters:
    ///   - push: The opened message.
    ///   - directory: A directory. The file is in its subdirectory `pushcrypt-attachments`. Move
    ///     the file, because a later call removes earlier files of the subdirectory after two
    ///     minutes.
    ///   - timeout: The longest time for the downloads, in seconds, with the wait for other calls.
    /// - Returns: The opened file; `nil` if the message isn't signed or has no attachment.
    /// - Throws: ``PushCryptError`` with `malformedAttachment`, `downloadFailed`,
    ///   `damagedAttachment`, `unsupportedMedia` or a file error, for the most preferred
    ///   attachment.
    public func attachment(
        of push: OpenedPush, in directory: String, timeout: TimeInterval
    ) async throws(PushCryptError) -> LoadedAttachment? {
        let attachments = !push.isAuthenticated ? [] : try MediaAttachment.all(in: push.payload)
        let loader = AttachmentLoader(
            downloader: self, directory: AttachmentLoader.ownDirectory(in: directory),
            turn: (self as? URLSessionDownloader)?.turn ?? .process)
        return try await loader.load(attachments, timeout: timeout)
    }
}

/// A file that was downloaded and opened.
public struct LoadedAttachment: Sendable {
    /// The path of the file, whose extension agrees with its type.
    public let path: String
    /// The attachment.
    public let attachment: MediaAttachment
}
