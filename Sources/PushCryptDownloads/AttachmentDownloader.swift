public import Foundation

/// A service that downloads the files of attachments, so that an app can bring its own.
public protocol AttachmentDownloader: Sendable {
    /// Downloads a file, and calls a closure once: when the file is complete, or with an error.
    ///
    /// - Parameters:
    ///   - url: The address of the file.
    ///   - path: The path of the new file, in an existing directory.
    ///   - maximumLength: The most bytes to accept.
    ///   - timeout: The longest time for the whole download, in seconds.
    ///   - completion: A closure for the result, on any thread.
    /// - Returns: A closure that cancels the download at once. Then the completion gets an error.
    func download(
        _ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> @Sendable () -> Void
}
