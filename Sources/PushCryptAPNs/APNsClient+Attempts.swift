#if APNs
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import PushCryptFoundation
internal import PushCryptSender

/// The attempts to send one push.
extension APNsClient {
    /// The most attempts, with pauses of 15 seconds together.
    private static let maximumAttempts = 5
    /// The longest pause in seconds that APNs may ask for; the error of a longer one tells it to the caller.
    private static let maximumPause: TimeInterval = 30

    func attempts(_ push: APNsPush, _ deviceToken: String, _ id: UUID) async throws(APNsError) -> APNsReceipt {
        var request = request(push, deviceToken, id)
        var (hasRenewed, isUnsent) = (false, true)
        var attempt = 0
        while true {
            attempt += 1
            let token = try await token(id)
            if let token { request.headers.replaceOrAdd(name: "authorization", value: "bearer \(token)") }
            let start = Date()
            var failure: APNsError
            do {
                let answer = try await connections.execute(request)
                guard answer.status != 200 else {
                    observer.attempted(attempt, id, since: start, nil)
                    return APNsReceipt(id: id, uniqueID: answer.uniqueID, attempts: attempt)
                }
                failure = answer.error(id)
            } catch {
                guard !Task.isCancelled, let error = error as? Connections.Failure else { throw cancelled(id) }
                isUnsent = isUnsent && error.isUnsent
                failure = Self.unanswered(error.cause, id, isUnsent)
            }
            observer.attempted(attempt, id, since: start, failure)
            if failure.apnsReason == "ExpiredProviderToken", let token, !hasRenewed {
                hasRenewed = true
                if try await self.token(insteadOf: token, id) != nil { continue }
            }
            let isTemporary = failure.advice == .retry || failure.status == 429
            let pause = failure.retryAfter ?? pause * Double(1 << (attempt - 1)) * .random(in: 0.5...1)
            guard isTemporary, attempt < Self.maximumAttempts, pause <= Self.maximumPause else { throw failure }
            do {
                try await Task.sleep(nanoseconds: UInt64(pause * 1e9))
            } catch {
                throw cancelled(id)
            }
        }
    }

    private func request(_ push: APNsPush, _ deviceToken: String, _ id: UUID) -> HTTPClientRequest {
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

    /// Returns the provider token, or one instead of a token that APNs calls expired; `nil` if there is none.
    private func token(insteadOf refused: String? = nil, _ id: UUID) async throws(APNsError) -> String? {
        guard case .token(let token) = authentication.kind else { return nil }
        do {
            guard let refused else { return try await token.text() }
            observer.renewed(token.keyID)
            return try await token.text(insteadOf: refused)
        } catch {
            throw APNsError(.invalidKey, "The provider token can't be signed. Check the key.", .checkCredentials, id)
        }
    }

    private func cancelled(_ id: UUID) -> APNsError {
        APNsError(
            .init(rawValue: "cancelled"),
            "The task or the client ended, and APNs may have accepted the push. Send it again.", .retry, id)
    }

    private static func unanswered(_ error: any Error, _ id: UUID, _ isUnsent: Bool) -> APNsError {
        // These texts have neither content nor tokens; they tell a wrong certificate from a closed port.
        let cause = (error as? HTTPClientError)?.shortDescription ?? String(describing: type(of: error))
        let fix = error is NIOSSLError ? "Check its certificate, and the trusted ones." : "Check the network."
        return isUnsent
            ? APNsError(
                .init(rawValue: "no-connection"),
                "The connection to APNs failed (\(cause)). \(fix)", .retry, id)
            : APNsError(
                .init(rawValue: "no-answer"),
                "APNs hasn't answered (\(cause)), and may have accepted the push. Send it again with the same ID.",
                .retry, id)
    }
}
#endif
