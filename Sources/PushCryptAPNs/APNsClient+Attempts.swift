#if APNs
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
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
        var hasRenewed = false
        var attempt = 0
        while true {
            attempt += 1
            let token = try await authorize(&request, id)
            let start = Date()
            var failure: APNsError
            do {
                let answer = try await connections.execute(request)
                observer.answered(answer, id, attempt: attempt, since: start)
                guard answer.status != 200 else {
                    return APNsReceipt(id: id, uniqueID: answer.uniqueID, attempts: attempt)
                }
                failure = answer.error(id)
            } catch {
                guard !Task.isCancelled else { throw cancelled(id) }
                failure = Self.unanswered(error, id)
                observer.unanswered(failure, attempt: attempt, since: start)
            }
            if failure.apnsReason == "ExpiredProviderToken", let token, !hasRenewed {
                hasRenewed = true
                if try await renew(token, id) { continue }
            }
            let isTemporary = failure.status.map { $0 == 429 || (500...599).contains($0) } ?? true
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

    /// Adds the provider token to a request, and returns it; `nil` with a certificate.
    private func authorize(_ request: inout HTTPClientRequest, _ id: UUID) async throws(APNsError) -> String? {
        guard case .token(let token) = authentication.kind else { return nil }
        do {
            let text = try await token.text()
            request.headers.replaceOrAdd(name: "authorization", value: "bearer \(text)")
            return text
        } catch {
            throw unsigned(id)
        }
    }

    /// Renews a provider token that APNs calls expired, and returns whether there is another one.
    private func renew(_ refused: String, _ id: UUID) async throws(APNsError) -> Bool {
        guard case .token(let token) = authentication.kind else { return false }
        observer.renewed(token.keyID)
        do {
            return try await token.text(insteadOf: refused) != nil
        } catch {
            throw unsigned(id)
        }
    }

    private func unsigned(_ id: UUID) -> APNsError {
        APNsError(.invalidKey, "The provider token can't be signed. Check the key.", .checkCredentials, id)
    }

    private func cancelled(_ id: UUID) -> APNsError {
        APNsError(
            .init(rawValue: "cancelled"), "The task was cancelled, and APNs may have accepted the push. Send it again.",
            .retry, id)
    }

    private static func unanswered(_ error: any Error, _ id: UUID) -> APNsError {
        // These texts have neither content nor tokens; they tell a wrong certificate from a closed port.
        let cause = (error as? HTTPClientError)?.shortDescription ?? String(describing: type(of: error))
        return Connections.isUnsent(error)
            ? APNsError(
                .init(rawValue: "no-connection"),
                "The connection to APNs failed (\(cause)). Check the network and the firewall.", .retry, id)
            : APNsError(
                .init(rawValue: "no-answer"),
                "APNs hasn't answered (\(cause)), and may have accepted the push. Send it again with the same ID.",
                .retry, id)
    }
}
#endif
