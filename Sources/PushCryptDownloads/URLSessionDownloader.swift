internal import Dispatch
public import Foundation
internal import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptPayload
public import PushCryptReceiver
internal import PushCryptSystem

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A downloader on `URLSession`, without cookies, cache, compression and the name of the app.
///
/// It accepts the status 200 only, and at most five redirections, each to an allowed scheme and
/// host, without a user. The file grows on disk, so a download needs little memory. Without a
/// connection, it fails at once.
public struct URLSessionDownloader: AttachmentDownloader {
    private let hosts: Set<String>?
    private let allowsConstrainedNetworkAccess: Bool
    private let allowsHTTP: Bool
    /// The turn for which downloads of attachments wait; tests have their own.
    var turn = DownloadTurn.process
    /// A closure that is called on any thread with the bytes that have arrived, and the length of
    /// the file; 0 if the server doesn't tell it.
    package var progress: @Sendable (_ done: Int, _ length: Int) -> Void = { _, _ in }

    /// Creates a downloader.
    ///
    /// In Low Data Mode, a download fails unless another network is available. The notification
    /// then shows its text.
    ///
    /// Source: Apple, `URLSessionConfiguration.allowsConstrainedNetworkAccess`
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsconstrainednetworkaccess.
    ///
    /// - Parameters:
    ///   - hosts: The hosts from which files may come, without a port, such as `media.example.com`.
    ///   - allowsConstrainedNetworkAccess: `true` to download in Low Data Mode too. It has no
    ///     effect on Linux.
    ///   - allowsHTTP: `true` to allow `http:`, for tests. On Apple's platforms, the Info.plist
    ///     needs an exception of App Transport Security for it.
    public init(
        hosts: Set<String>, allowsConstrainedNetworkAccess: Bool = false, allowsHTTP: Bool = false
    ) {
        self.hosts = hosts
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.allowsHTTP = allowsHTTP
    }

    /// Creates a downloader for any host: the tool's user has chosen the message.
    package init(fromAnyHostAllowingHTTP allowsHTTP: Bool) {
        hosts = nil
        allowsConstrainedNetworkAccess = true
        self.allowsHTTP = allowsHTTP
    }

    /// Downloads a file, or throws ``PushCryptError`` with `downloadFailed`.
    public func download(_ url: URL, to path: String, maximumLength: Int, timeout: TimeInterval)
        async throws
    {
        guard allows(url) else {
            throw Download.failure(
                "Its address isn't https, names a user, or its host isn't in the list")
        }
        let download = Download(self, to: path, maximumLength: maximumLength)
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                download.start(url, timeout: timeout) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            download.cancel()
        }
        if let failure { throw failure }
    }

    /// Returns a Boolean value that indicates whether a file may come from an address.
    func allows(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
            !host.isEmpty
        else {
            return false
        }
        guard scheme == "https" || allowsHTTP && scheme == "http", !url.hasUserInformation else {
            return false
        }
        return hosts?.contains { $0.lowercased() == host } ?? true
    }
}

extension URLSessionDownloader {
    /// The settings of a session.
    var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
        configuration.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        #endif
        return configuration
    }
}

/// One download, whose state its serial queue protects.
private final class Download: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private let rules: URLSessionDownloader
    private let path: String
    private let maximumLength: Int
    private let queue = OperationQueue()
    private var task: URLSessionTask?
    private var completion: ((PushCryptError?) -> Void)?
    /// The reason why the download ends without a file.
    private var failure: PushCryptError?
    private var isStored = false
    private var redirections = 0

    init(_ rules: URLSessionDownloader, to path: String, maximumLength: Int) {
        self.rules = rules
        self.path = path
        self.maximumLength = maximumLength
        queue.maxConcurrentOperationCount = 1
    }

    static func failure(_ problem: String) -> PushCryptError {
        PushCryptError(
            .downloadFailed, "The attachment can't be downloaded. \(problem). Check the server.")
    }

    /// Starts the download, unless it was cancelled before.
    func start(
        _ url: URL, timeout: TimeInterval,
        _ completion: @escaping @Sendable (PushCryptError?) -> Void
    ) {
        queue.addOperation { [self] in
            if let failure { return completion(failure) }
            self.completion = completion
            resume(url, timeout.isNaN ? 0 : min(max(timeout, 0), 3600))
        }
    }

    /// Ends the download at once.
    func cancel() {
        queue.addOperation { [self] in end(Self.failure("The time is over")) }
    }

    private func resume(_ url: URL, _ timeout: TimeInterval) {
        let session = URLSession(
            configuration: rules.configuration, delegate: self, delegateQueue: queue)
        var request = URLRequest(url: url, timeoutInterval: timeout)
        // A compressed file would have another length and digest. The others would name the app and
        // the user's language.
        for (name, value) in [
            "Accept-Encoding": "identity", "Accept-Language": "*", "User-Agent": "PushCrypt",
        ] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let task = session.downloadTask(with: request)
        self.task = task
        task.resume()
        // A server that always sends a little more must not prolong it.
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in
            self?.cancel()
        }
        session.finishTasksAndInvalidate()
    }

    /// Cancels the task, whose end completes the download, for the first reason.
    private func end(_ reason: PushCryptError) {
        guard failure == nil, !isStored else { return }
        failure = reason
        // Foundation on Linux ends the process if a task is cancelled before it has processed the
        // answer to a redirection.
        DispatchQueue.global().asyncAfter(deadline: .now() + (redirections > 0 ? 0.25 : 0)) {
            [task] in task?.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The task is being cancelled, so Foundation on Linux accepts no answer.
        guard failure == nil else { return }
        redirections += 1
        // Foundation on Linux rewrites another scheme to http, so the header decides.
        let location = response.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) }
        let isAllowed =
            redirections <= 5 && request.url.map(rules.allows) == true
            && (location?.scheme == nil || location.map(rules.allows) == true)
            && location?.hasUserInformation != true
        completionHandler(isAllowed ? request : nil)
        if !isAllowed {
            end(Self.failure("Its server redirects to an address that isn't allowed, or too often"))
        }
    }

    /// Refuses to log in, which no file needs, and checks certificates as usual.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // On Linux, a certificate is no challenge.
        #if !canImport(FoundationNetworking)
        let method = challenge.protectionSpace.authenticationMethod
        if method == NSURLAuthenticationMethodServerTrust {
            return completionHandler(.performDefaultHandling, nil)
        }
        #endif
        end(Self.failure("Its server asks for a login"))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData count: Int64,
        totalBytesWritten written: Int64, totalBytesExpectedToWrite expected: Int64
    ) {
        if written > maximumLength || expected > maximumLength { return end(tooLong) }
        rules.progress(Int(written), max(Int(expected), 0))
    }

    private var tooLong: PushCryptError { Self.failure("It is longer than \(maximumLength) bytes") }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        // Foundation on Linux leaves the file.
        defer { try? FileManager.default.removeItem(at: location) }
        let response = downloadTask.response as? HTTPURLResponse
        guard response?.statusCode == 200 else {
            return end(
                Self.failure("Its server answers with the status \(response?.statusCode ?? 0)"))
        }
        let encoding = response?.value(forHTTPHeaderField: "Content-Encoding")?.lowercased()
        guard encoding == nil || encoding == "identity" else {
            return end(Self.failure("Its server compresses it"))
        }
        do {
            guard failure == nil,
                try FileDescriptor.reading(location.path).length() <= maximumLength
            else {
                return end(tooLong)
            }
            try FileManager.default.moveItem(at: location, to: URL(fileURLWithPath: path))
            isStored = true
        } catch {
            end(error as? PushCryptError ?? Self.failure("It can't be stored"))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        // The error may contain the address, which names the file.
        let code = (error as? URLError)?.errorCode ?? 0
        let unknown = Self.failure("\(Self.problem(of: error)) (URLError \(code))")
        completion?(isStored ? nil : failure ?? unknown)
        completion = nil
    }
    private static func problem(of error: (any Error)?) -> String {
        #if !canImport(FoundationNetworking)
        if (error as? URLError)?.networkUnavailableReason == .constrained {
            return "The device is in Low Data Mode"
        }
        #endif
        return "The connection failed, or the time is over"
    }
}
