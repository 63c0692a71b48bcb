import Foundation
import PushCryptCore
import PushCryptReceiver
import PushCryptSystem
import PushCryptTesting

/// An app's server, over a network that loses what the test chooses.
final class RegistrationServer: Sendable {
    /// The network's treatment of one request.
    enum Network: Sendable {
        case working
        /// The request is lost, or the app is killed before.
        case losingRequest
        /// The response is lost, or the app is killed after the request.
        case losingAnswer
    }

    struct Lost: Error {}

    private struct State: Sendable {
        var recipients: [String: Recipient] = [:]
        var requests: [(json: String, token: String)] = []
        var networks: [Network] = []
        var actions: [@Sendable () async throws -> Void] = []
        var signerLists: [String] = []
    }

    private let state = LockedValue(State())
    private let time: any TimeSource

    init(time: any TimeSource) {
        self.time = time
    }

    /// The server's records by token.
    var recipients: [String: Recipient] {
        get { state.withLock { $0.recipients } }
        set { state.withLock { $0.recipients = newValue } }
    }

    /// The lists of accepted keys in each answer.
    var signerLists: [String] {
        get { state.withLock { $0.signerLists } }
        set { state.withLock { $0.signerLists = newValue } }
    }

    /// The sent requests, including lost ones.
    var requests: [(json: String, token: String)] { state.withLock { $0.requests } }

    /// Sets the treatment of the next requests; later ones work.
    func network(_ next: Network...) { setNetwork(next) }

    /// Sets the treatment of the next requests; later ones work.
    func setNetwork(_ next: [Network]) {
        state.withLock { $0.networks = next }
    }

    /// Resets the treatment of later requests.
    func reset() {
        state.withLock { ($0.networks, $0.actions) = ([], []) }
    }

    /// Runs an action before the next request arrives.
    func beforeNext(_ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.actions.append(action) }
    }

    /// Sends a registration, as the app's closure does.
    func register(_ request: RegistrationRequest) async throws -> RegistrationResponse {
        let (json, token) = (request.registration, request.deviceToken)
        let (network, action) = state.withLock { state in
            state.requests.append((json, token))
            return (
                state.networks.isEmpty ? .working : state.networks.removeFirst(),
                state.actions.isEmpty ? nil : state.actions.removeFirst()
            )
        }
        try await action?()
        if case .losingRequest = network { throw Lost() }
        let answer = try arrive(json, token)
        if case .losingAnswer = network { throw Lost() }
        return answer
    }

    /// Delivers a request, also a second time.
    @discardableResult
    func arrive(_ json: String, _ token: String) throws -> RegistrationResponse {
        try state.withLock { state in
            let known = state.recipients[token]
            do throws(PushCryptError) {
                state.recipients[token] = try Recipient(
                    registration: Registration(parsing: json), deviceToken: token,
                    registered: time.now,
                    replacing: known,
                    others: state.recipients.values.filter { $0.deviceToken != token })
                return .accepted(date: time.now, signerLists: state.signerLists)
            } catch {
                guard let generation = error.staleGeneration else { throw error }
                return .stale(generation: generation)
            }
        }
    }
}
