#if APNs
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import PushCryptFoundation
internal import PushCryptSender

/// The attempts to send one push.
extension APNsClient {
    /// The maximum number of attempts.
    ///
    /// The pauses add up to 15 seconds.
    private static let maximumAttempts = 5
    /// The longest pause in seconds that the client waits.
    ///
    /// The error reports a longer one to the caller.
    private static let maximumPause: TimeInterval = 30

    /// The facts of earlier attempts on which the next one depends.
    private struct History {
        var count = 0
        /// The client has replaced a provider token that APNs rejected as expired.
        var hasRenewedToken = false
        /// APNs can't have accepted the push: each attempt failed before it was sent, or has an answer.
        var isUnsent = true
    }

    /// Sends a push until APNs accepts it, or rejects it for good.
    func attempts(_ push: APNsPush, _ deviceToken: String, id: UUID) async throws(APNsError) -> APNsReceipt {
        var request = request(push, deviceToken, id: id)
        var history = History()
        while true {
            history.count += 1
            let token = try await token(id: id)
            if let token { request.headers.replaceOrAdd(name: "authorization", value: "bearer \(token)") }
            let failure: APNsError
            switch try await attempt(request, &history, id: id) {
            case .success(let receipt): return receipt
            case .failure(let error): failure = error
            }
            if failure.apnsReason == .expiredProviderToken, let token, !history.hasRenewedToken {
                history.hasRenewedToken = true
                // The client keeps the new token, which the next attempt takes.
                if try await self.token(insteadOf: token, id: id) != nil { continue }
            }
            guard let delay = delay(after: failure, attempt: history.count) else { throw failure }
            do {
                try await Task.sleep(nanoseconds: UInt64(delay * 1e9))
            } catch {
                throw cancelled(id: id)
            }
        }
    }

    /// Sends a request once.
    ///
    /// - Returns: The receipt, or a failure after which another attempt may follow.
    /// - Throws: ``APNsError`` if the task was canceled.
    private func attempt(
        _ request: HTTPClientRequest, _ history: inout History, id: UUID
    ) async throws(APNsError) -> Result<APNsReceipt, APNsError> {
        let start = Date()
        let failure: APNsError
        do {
            let answer = try await connections.execute(request)
            if answer.status == 200 {
                observer.attempted(history.count, id: id, since: start, failure: nil)
                return .success(APNsReceipt(id: id, uniqueID: answer.uniqueID, attempts: history.count))
            }
            failure = answer.error(id)
        } catch {
            guard !Task.isCancelled, let error = error as? Connections.Failure else { throw cancelled(id: id) }
            history.isUnsent = history.isUnsent && error.isUnsent
            failure = unanswered(error.cause, isUnsent: history.isUnsent, id: id)
        }
        observer.attempted(history.count, id: id, since: start, failure: failure)
        return .failure(failure)
    }

    /// Returns the seconds before the next attempt; `nil` if there is none.
    private func delay(after failure: APNsError, attempt: Int) -> TimeInterval? {
        let isTemporary = failure.advice == .retry || failure.status == 429
        let growing = pause * Double(1 << (attempt - 1)) * .random(in: 0.5...1)
        let delay = failure.retryAfter ?? growing
        guard isTemporary, attempt < Self.maximumAttempts, delay <= Self.maximumPause else { return nil }
        return delay
    }

    private func request(_ push: APNsPush, _ deviceToken: String, id: UUID) -> HTTPClientRequest {
        var request = HTTPClientRequest(
            url: "https://\(environment.host):\(environment.port)/3/device/\(deviceToken)")
        request.method = .POST
        var headers = push.headers
        headers.id = id
        for (name, value) in headers.fields { request.headers.add(name: name, value: value) }
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: push.payload))
        return request
    }

    /// Returns the provider token, or one to use instead of a token that APNs rejected as expired.
    ///
    /// - Returns: The token; `nil` if the client has a certificate, or if the rejected token was renewed within the
    ///   last 20 minutes.
    private func token(insteadOf refused: String? = nil, id: UUID) async throws(APNsError) -> String? {
        guard case .token(let token) = authentication.kind else { return nil }
        do {
            guard let refused else { return try await token.text() }
            observer.renewed(token.keyID)
            return try await token.text(insteadOf: refused)
        } catch {
            throw APNsError(
                .invalidKey, "The provider token can't be signed. Check the key.", advice: .checkCredentials, id: id)
        }
    }

    private func cancelled(id: UUID) -> APNsError {
        APNsError(
            .cancelled, "The task or the client ended, and APNs may have accepted the push. Send it again.",
            advice: .retry, id: id)
    }

    private func unanswered(_ error: any Error, isUnsent: Bool, id: UUID) -> APNsError {
        let problem = ConnectionProblem(error)
        let cause = problem.cause
        if isUnsent {
            let server = "\(environment.host):\(environment.port)"
            return APNsError(
                .noConnection, "The connection to \(server) failed: \(cause). \(problem.fix)", advice: .retry, id: id)
        }
        return APNsError(
            .noAnswer,
            "APNs hasn't answered (\(cause)), and may have accepted the push. Send it again with the same ID.",
            advice: .retry, id: id)
    }
}
#endif
