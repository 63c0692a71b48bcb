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

    /// Records the answer to one attempt, or its absence.
    func attempted(_ attempt: Int, id: UUID, since start: Date, failure: APNsError?) {
        let status = failure == nil ? "200" : failure?.status.map(String.init) ?? "none"
        let reason = failure?.apnsReason?.rawValue ?? failure?.code.rawValue ?? "none"
        duration.recordSeconds(max(0, Date().timeIntervalSince(start)))
        Counter(label: "pushcrypt_apns_attempts_total", dimensions: [("status", status), ("reason", reason)])
            .increment()
        logger.log(
            level: Self.level(of: failure),
            "\(failure?.reason ?? "APNs accepted a push.")",
            metadata: [
                "apns-id": "\(id)", "attempt": "\(attempt)", "status": "\(status)", "reason": "\(reason)",
            ])
    }

    private static func level(of failure: APNsError?) -> Logger.Level {
        guard let failure else { return .debug }
        return failure.advice == .retry ? .notice : .warning
    }

    func renewed(_ keyID: String) {
        logger.notice("APNs calls the provider token expired", metadata: ["key-id": "\(keyID)"])
    }
}
#endif
