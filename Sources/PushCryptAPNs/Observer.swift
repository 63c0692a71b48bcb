#if APNs
internal import Logging
internal import Metrics
internal import PushCryptFoundation
internal import PushCryptSender

/// The logs and metrics of a client, without content, device tokens and provider tokens.
struct Observer: Sendable {
    private let logger: Logger
    private let duration = Metrics.Timer(label: "pushcrypt_apns_attempt_duration")

    init(_ logger: Logger) { self.logger = logger }

    func answered(_ answer: APNsAnswer, _ id: UUID, attempt: Int, since start: Date) {
        record("\(answer.status)", answer.reason ?? "none", start)
        let level: Logger.Level = answer.status == 200 ? .debug : answer.isTemporary ? .notice : .warning
        logger.log(
            level: level, "APNs answered",
            metadata: [
                "apns-id": "\(id)", "attempt": "\(attempt)", "reason": "\(answer.reason ?? "none")",
                "status": "\(answer.status)",
            ])
    }

    func unanswered(_ error: APNsError, attempt: Int, since start: Date) {
        record("none", error.code.rawValue, start)
        logger.notice(
            "No answer from APNs",
            metadata: ["apns-id": "\(error.id)", "attempt": "\(attempt)", "reason": "\(error.reason)"])
    }

    func renewed(_ keyID: String) {
        logger.notice("APNs calls the provider token expired", metadata: ["key-id": "\(keyID)"])
    }

    private func record(_ status: String, _ reason: String, _ start: Date) {
        duration.recordSeconds(max(0, Date().timeIntervalSince(start)))
        Counter(label: "pushcrypt_apns_attempts_total", dimensions: [("status", status), ("reason", reason)])
            .increment()
    }
}
#endif
