#if APNs
internal import NIOCore
internal import NIOHPACK
internal import PushCryptFoundation
internal import PushCryptSender

/// The pushes of one client on their way: provider token, attempts, pauses and results.
///
/// It belongs to the event loop of the client.
final class Deliveries: PoolOwner {
    /// The settings of a client.
    struct Settings: Sendable {
        let authentication: APNsAuthentication
        let environment: APNsEnvironment
        let connections: Int
        let patience: Patience
        let pause: TimeInterval
        let observer: Observer
    }

    private let loop: any EventLoop
    private let rule: RetryRule
    private let requestFields: RequestFields
    private let errors: DeliveryErrors
    private var observer: Observer
    /// The pushes without a result, by their numbers.
    private var requests: [UInt64: PushRequest] = [:]
    private var isShutDown = false
    /// The results of this turn of the event loop.
    private var finished: [Finished] = []

    /// A result, and its receiver.
    private struct Finished {
        let sink: any ResultSink
        let result: SendingResult
    }

    private lazy var pool = ConnectionPool(
        self, limit: settings.connections, pause: settings.pause, on: loop,
        Connector(to: settings.environment, settings.authentication, on: loop, settings.patience))
    private lazy var tokens = TokenSupply(settings.authentication, on: loop) { [weak self] in
        self?.fetched($0)
    }
    private let settings: Settings

    init(_ settings: Settings, on loop: any EventLoop) {
        self.settings = settings
        self.loop = loop
        observer = settings.observer
        rule = RetryRule(pause: settings.pause)
        requestFields = RequestFields(settings.environment)
        errors = DeliveryErrors(settings.environment)
    }

    // MARK: Orders

    /// Starts to send a push, before a call of ``pump()``.
    func add(_ submission: Submission) {
        guard !isShutDown else {
            return finish(
                submission, .failure(DeliveryErrors.cancelled(submission.id, mayBeAccepted: false)))
        }
        let request = PushRequest(submission)
        requests[submission.number] = request
        pool.enqueue(request)
    }

    func pump() { pool.pump() }

    /// Ends a push without an answer.
    func cancel(_ number: UInt64) {
        guard let request = requests[number] else { return }
        let mayBeAccepted = request.mayBeAccepted || request.connection != nil
        pool.cancel(request)
        request.pause?.cancel()
        end(request, .failure(DeliveryErrors.cancelled(request.id, mayBeAccepted: mayBeAccepted)))
    }

    func cancelAll() {
        for number in requests.keys.sorted() { cancel(number) }
    }

    /// Ends all pushes and connections, and returns the channels that are closing.
    func shutDown() -> [any Channel] {
        isShutDown = true
        cancelAll()
        return pool.shutDown()
    }

    // MARK: The provider token

    func fields(of request: PushRequest) -> HPACKHeaders? {
        let now = Date()
        switch tokens.token(at: now) {
        case .missing: return nil
        case .unnecessary: request.token = nil
        case .ready(let token): request.token = token
        }
        request.start = now
        return requestFields(request.submission, token: request.token)
    }

    private func fetched(_ result: Result<Void, any Error>) {
        if case .failure = result {
            for request in pool.removeWaiting() {
                end(request, .failure(errors.unsigned(request.id)))
            }
        }
        pool.pump()
    }

    // MARK: Fates

    func ended(_ request: PushRequest, _ fate: Fate) {
        switch fate {
        case .answered(let answer): ended(request, answer)
        case .unprocessed(let problem) where request.passes < RetryRule.maximumPasses:
            request.passes += 1
            observer.passed(request, problem)
            pool.putBack(request)
        case .unprocessed(let problem): failed(request, problem)
        case .unknown(let problem):
            request.mayBeAccepted = true
            failed(request, problem)
        }
    }

    private func ended(_ request: PushRequest, _ answer: APNsAnswer) {
        request.attempts += 1
        guard answer.status != 200 else {
            observer.attempted(request, failure: nil)
            let receipt = APNsReceipt(
                id: request.id, uniqueID: answer.uniqueID, attempts: request.attempts,
                mayArriveTwice: request.mayBeAccepted)
            return end(request, .success(receipt))
        }
        var error = answer.error(request.id)
        error.mayBeAccepted = request.mayBeAccepted
        observer.attempted(request, failure: error)
        if error.apnsReason == .expiredProviderToken, let token = request.token,
            !request.hasRenewedToken
        {
            request.hasRenewedToken = true
            if let keyID = tokens.keyID { observer.renewed(keyID) }
            tokens.replace(token, at: Date())
            return pool.putBack(request)
        }
        // Each further push would prolong the time in which APNs takes none.
        if error.apnsReason == .tooManyProviderTokenUpdates { endWaiting(error) }
        retry(request, error)
    }

    private func failed(_ request: PushRequest, _ problem: ConnectionProblem) {
        request.attempts += 1
        let error = errors.unanswered(request, problem)
        observer.attempted(request, failure: error)
        retry(request, error)
    }

    func couldNotConnect(_ request: PushRequest, _ problem: ConnectionProblem) -> Bool {
        let error = errors.unanswered(request, problem)
        observer.attempted(request, failure: error)
        end(request, .failure(error))
        return false
    }

    /// Sends a push again after a pause, or ends it.
    private func retry(_ request: PushRequest, _ error: APNsError) {
        let delay = rule.delay(
            afterAttempts: request.attempts, retryAfter: error.retryAfter,
            chance: .random(in: 0.5...1))
        guard error.advice == .retry, let delay else { return end(request, .failure(error)) }
        request.pause = loop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(delay * 1e9))) {
            [weak self] in
            request.pause = nil
            self?.pool.enqueue(request)
            self?.pool.pump()
        }
    }

    /// Ends the pushes that wait, with the error of another push.
    private func endWaiting(_ error: APNsError) {
        for request in pool.removeWaiting() {
            end(
                request, .failure(error.copy(for: request.id, mayBeAccepted: request.mayBeAccepted))
            )
        }
    }

    private func end(_ request: PushRequest, _ result: Result<APNsReceipt, APNsError>) {
        guard requests.removeValue(forKey: request.submission.number) != nil else { return }
        finish(request.submission, result)
    }

    private func finish(_ submission: Submission, _ result: Result<APNsReceipt, APNsError>) {
        let result = SendingResult(submission: submission.number, result: result)
        finished.append(Finished(sink: submission.sink, result: result))
    }

    /// Hands over the results of this turn, all of one receiver together.
    func turnEnded() {
        var rest = finished[...]
        finished = []
        while let sink = rest.first?.sink {
            let own = rest.prefix { $0.sink === sink }
            rest = rest.dropFirst(own.count)
            sink.take(own.map(\.result))
        }
    }
}
#endif
