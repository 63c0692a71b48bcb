#if APNs
internal import PushCryptAPNs
internal import PushCryptSender

/// The client for APNs as the sender of lines, which nothing else may use.
final class APNsPushSender: PushSender, ResultSink {
    private let client: APNsClient
    private let receive: PushReceiver

    init(_ client: APNsClient, _ receive: @escaping PushReceiver) {
        self.client = client
        self.receive = receive
    }

    func submit(_ push: LinePush, number: Int) {
        // The line and its submission have the same number.
        client.submit(
            APNsPush(payload: push.payload, headers: push.headers), to: push.token, self,
            number: UInt64(number))
    }

    func cancelAll() { client.cancelAll() }

    func take(_ results: [SendingResult]) {
        receive(
            results.map {
                NumberedResult(number: Int($0.submission), result: PushResult($0.result))
            })
    }
}

extension PushResult {
    fileprivate init(_ result: Result<APNsReceipt, APNsError>) {
        switch result {
        case .success(let receipt): self = .accepted(mayArriveTwice: receipt.mayArriveTwice)
        case .failure(let error): self = .failed(PushFailure(error))
        }
    }
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
        concernsAllPushes =
            advice == .checkCredentials && error.apnsReason != .unrelatedKeyIDInToken
    }
}
#endif
