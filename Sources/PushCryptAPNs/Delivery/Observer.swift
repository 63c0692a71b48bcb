#if APNs
internal import Logging
internal import Metrics
internal import PushCryptFoundation
internal import PushCryptSender

/// The logs and metrics of a client, without content, device tokens and provider tokens.
struct Observer: Sendable {
    /// The labels of a counter.
    private struct Outcome: Hashable {
        let status: String
        let reason: String
    }

    private let logger: Logger
    private let duration = Metrics.Timer(label: "pushcrypt_apns_attempt_duration")
    /// The counters by their labels, because a backend creates a counter slowly.
    private var counters: [Outcome: Counter] = [:]

    init(_ logger: Logger) { self.logger = logger }

    /// Records the answer to one attempt, or its absence.
    mutating func attempted(_ request: PushRequest, failure: APNsError?) {
        let status = failure == nil ? "200" : failure?.status.map(String.init) ?? "none"
        let reason = failure?.apnsReason?.rawValue ?? failure?.code.rawValue ?? "none"
        duration.recordSeconds(max(0, Date().timeIntervalSince(request.start)))
        counter(Outcome(status: status, reason: reason)).increment()
        logger.log(
            level: Self.level(of: failure),
            "\(failure?.reason ?? "APNs accepted a push.")",
            metadata: [
                "apns-id": "\(request.id)", "attempt": "\(request.attempts)", "status": "\(status)",
                "reason": "\(reason)",
            ])
    }

    /// Records that a push goes to another connection, because it wasn't processed.
    func passed(_ request: PushRequest, _ problem: ConnectionProblem) {
        logger.debug(
            "APNs hasn't processed a push, which is sent on another connection.",
            metadata: ["apns-id": "\(request.id)", "cause": "\(problem.cause)"])
    }

    func renewed(_ keyID: String) {
        logger.notice("APNs calls the provider token expired", metadata: ["key-id": "\(keyID)"])
    }

    private mutating func counter(_ outcome: Outcome) -> Counter {
        if let counter = counters[outcome] { return counter }
        let labels = [("status", outcome.status), ("reason", outcome.reason)]
        let counter = Counter(label: "pushcrypt_apns_attempts_total", dimensions: labels)
        // APNs chooses the words of its reasons, so their number has a limit.
        if counters.count < 1000 { counters[outcome] = counter }
        return counter
    }

    private static func level(of failure: APNsError?) -> Logger.Level {
        guard let failure else { return .debug }
        return failure.advice == .retry ? .notice : .warning
    }
}
#endif
