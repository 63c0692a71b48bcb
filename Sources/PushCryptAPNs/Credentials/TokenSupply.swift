#if APNs
internal import NIOCore
internal import PushCryptFoundation

/// The provider token of one client on its event loop, so that a push asks no actor.
final class TokenSupply {
    /// The token for a request.
    enum Token {
        /// The client has a certificate.
        case unnecessary
        case ready(String)
        /// The token is being signed. The client hears when it's ready.
        case missing
    }

    private let token: ProviderToken?
    private let loop: any EventLoop
    private var current: ProviderToken.Signed?
    private var isFetching = false
    /// A function that is called after each fetch.
    private let whenFetched: (Result<Void, any Error>) -> Void

    init(
        _ authentication: APNsAuthentication, on loop: any EventLoop,
        whenFetched: @escaping (Result<Void, any Error>) -> Void
    ) {
        if case .token(let token) = authentication.kind { self.token = token } else { token = nil }
        self.loop = loop
        self.whenFetched = whenFetched
    }

    var keyID: String? { token?.keyID }

    /// Returns the token for a request at a time.
    func token(at now: Date) -> Token {
        guard let token else { return .unnecessary }
        guard !isFetching else { return .missing }
        if let current, current.isCurrent(at: now) { return .ready(current.text) }
        fetch { try await token.signed(now: now) }
        return .missing
    }

    /// Replaces a token that APNs has rejected as expired, unless another one is current.
    ///
    /// If the token was renewed within the last 20 minutes, it stays.
    func replace(_ rejected: String, at now: Date) {
        guard let token, !isFetching, current?.text == rejected else { return }
        fetch { [current] in try await token.signed(insteadOf: rejected, now: now) ?? current }
    }

    private func fetch(_ body: @escaping @Sendable () async throws -> ProviderToken.Signed?) {
        isFetching = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        Task { [loop] in
            let result: Result<ProviderToken.Signed?, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            loop.execute { bound.value.fetched(result) }
        }
    }

    private func fetched(_ result: Result<ProviderToken.Signed?, any Error>) {
        isFetching = false
        whenFetched(result.map { current = $0 })
    }
}
#endif
