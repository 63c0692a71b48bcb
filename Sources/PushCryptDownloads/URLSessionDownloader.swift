public import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A downloader on `URLSession`, without cookies, cache, compression and the name of the app.
///
/// It accepts the status 200 only, and at most five redirections, each to an allowed scheme and host. The file grows on disk,
/// so a download needs little memory.
public struct URLSessionDownloader: AttachmentDownloader {
    /// The hosts from which files may come; `nil` allows all.
    public let hosts: Set<String>?

    /// A Boolean value that indicates whether `http:` is allowed, for tests.
    public let allowsHTTP: Bool

    /// A closure that is called with the new bytes, and once for each file with its length if the server says it.
    package var progress: @Sendable (_ new: Int, _ length: Int) -> Void = { _, _ in }

    /// Creates a downloader.
    public init(hosts: Set<String>? = nil, allowsHTTP: Bool = false) {
        self.hosts = hosts
        self.allowsHTTP = allowsHTTP
    }

    /// Downloads a file, or throws ``PushCryptError`` with `downloadFailed`.
    public func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval) async throws {
        guard allows(url) else { throw Download.failure("Its address isn't allowed") }
        let task = LockedValue<URLSessionTask?>(nil)
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let download = Download(self, path, maximumLength) { continuation.resume(returning: $0) }
                let started = download.start(url, timeout)
                task.withLock { $0 = started }
                // The task may have been cancelled before it began.
                if Task.isCancelled { started.cancel() }
            }
        } onCancel: {
            task.withLock { $0 }?.cancel()
        }
        if let failure { throw failure }
    }

    /// Returns whether a file may come from an address.
    func allows(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else {
            return false
        }
        guard scheme == "https" || allowsHTTP && scheme == "http" else { return false }
        return hosts?.contains(host) ?? true
    }
}

/// One download, whose state the serial queue of the session protects.
private final class Download: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private let rules: URLSessionDownloader
    private let path: String
    private let maximumLength: Int
    private let completion: @Sendable (PushCryptError?) -> Void
    private var failure: PushCryptError?
    private var isComplete = false
    private var redirections = 0

    init(
        _ rules: URLSessionDownloader, _ path: String, _ maximumLength: Int,
        _ completion: @escaping @Sendable (PushCryptError?) -> Void
    ) {
        (self.rules, self.path, self.maximumLength, self.completion) = (rules, path, maximumLength, completion)
    }

    static func failure(_ problem: String) -> PushCryptError {
        PushCryptError(.downloadFailed, "The attachment can't be downloaded. \(problem). Check the server.")
    }

    func start(_ url: URL, _ timeout: TimeInterval) -> URLSessionTask {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        var request = URLRequest(url: url, timeoutInterval: timeout)
        // A compressed file would have another length and digest. The others would name the app and the user's language.
        for (name, value) in ["Accept-Encoding": "identity", "Accept-Language": "*", "User-Agent": "PushCrypt"] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.downloadTask(with: request)
        task.resume()
        // Foundation on Linux ignores the timeout of the resource.
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak task] in task?.cancel() }
        session.finishTasksAndInvalidate()
        return task
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirections += 1
        // Foundation on Linux rewrites another scheme to http, so the header decides.
        let location = response.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) }
        guard redirections <= 5, let url = request.url, rules.allows(url),
            location?.scheme == nil || location.map(rules.allows) == true
        else {
            failure = Self.failure("Its server redirects to an address that isn't allowed, or too often")
            completionHandler(nil)
            return task.cancel()
        }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64,
        totalBytesWritten written: Int64, totalBytesExpectedToWrite expected: Int64
    ) {
        rules.progress(Int(count), written == count ? max(Int(expected), 0) : 0)
        guard written > maximumLength || expected > maximumLength, failure == nil else { return }
        failure = Self.failure("It is longer than \(maximumLength) bytes")
        downloadTask.cancel()
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        // Foundation on Linux leaves the file.
        defer { try? FileManager.default.removeItem(at: location) }
        guard failure == nil else { return }
        guard let response = downloadTask.response as? HTTPURLResponse, response.statusCode == 200 else {
            let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
            failure = Self.failure("Its server answers with the status \(status)")
            return
        }
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased()
        guard encoding == nil || encoding == "identity" else {
            failure = Self.failure("Its server compresses it")
            return
        }
        do {
            let length = try FileDescriptor.reading(location.path).length()
            guard length <= maximumLength else {
                failure = Self.failure("It is longer than \(maximumLength) bytes")
                return
            }
            try FileManager.default.moveItem(at: location, to: URL(fileURLWithPath: path))
            isComplete = true
        } catch {
            failure = error as? PushCryptError ?? Self.failure("It can't be stored")
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // The error may contain the address, which names the file.
        completion(failure ?? (isComplete ? nil : Self.failure("The connection failed, or the time is over")))
    }
}
