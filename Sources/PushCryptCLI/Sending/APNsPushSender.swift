#if APNs
internal import PushCryptAPNs
internal import PushCryptSender

/// The client for APNs as the sender of a campaign.
struct APNsPushSender: PushSender {
    let client: APNsClient

    func submit(_ push: LinePush, completion: @escaping @Sendable (PushResult) -> Void) {
        client.submit(APNsPush(payload: push.payload, headers: push.headers), to: push.token) { result in
            switch result {
            case .success(let receipt): completion(.accepted(mayArriveTwice: receipt.mayArriveTwice))
            case .failure(let error): completion(.failed(PushFailure(error)))
            }
        }
    }

    func cancelAll() { client.cancelAll() }
}

extension PushFailure {
    fileprivate init(_ error: APNsError) {
        self.error = PushCryptError(error.code, error.reason)
        advice = Advice(rawValue: error.advice.description) ?? .fixRequest
        status = error.status
        timestamp = error.timestamp
        retryAfter = error.retryAfter
        mayBeAccepted = error.mayBeAccepted
        isUnreachable = error.isUnreachable
        // A key can be wrong for the topic of one line.
        concernsAllPushes = advice == .checkCredentials && error.apnsReason != .unrelatedKeyIDInToken
    }
}
#endif
