public import Foundation

/// A service that downloads the files of attachments, so that an app can bring its own.
public protocol AttachmentDownloader: Sendable {
    /// Downloads a file, and returns when it is complete.
    ///
    /// - Parameters:
    ///   - url: The address of the file.
    ///   - path: The path of the new file, in an existing directory.
    ///   - maximumLength: The most bytes to accept.
    ///   - timeout: The longest time for the whole download, in seconds.
    /// - Throws: Any error, and soon after the task was cancelled.
    func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
        async throws
}
