import Foundation
import PushCryptCore
import PushCryptReceiver
import PushCryptTesting

/// An app's server as Docs/KeyManagement.md describes it, over a network that loses what a test says.
final class RegistrationServer: Sendable {
    /// What happens to one request.
    enum Network: Sendable {
        case working
        /// It does not arrive: offline, or the app is killed before.
        case losingRequest
        /// It arrives, and the answer does not: offline, or the app is killed after.
        case losingAnswer
    }

    struct Lost: Error {}

    private struct State: Sendable {
        var recipients: [String: Recipient] = [:]
        var requests: [(json: String, token: String)] = []
        var networks: [Network] = []
        var actions: [@Sendable () async throws -> Void] = []
    }

    private let state = LockedValue(State())
    private let time: any TimeSource

    init(time: any TimeSource) {
        self.time = time
    }

    /// What it knows, by token.
    var recipients: [String: Recipient] {
        get { state.withLock { $0.recipients } }
        set { state.withLock { $0.recipients = newValue } }
    }

    /// What has been sent to it, whether it has arrived or not.
    var requests: [(json: String, token: String)] { state.withLock { $0.requests } }

    /// Has the next requests be treated so, one after the other; those after them work.
    func network(_ next: Network...) {
        state.withLock { $0.networks = next }
    }

    /// Takes back what was said of requests that were not made.
    func reset() {
        state.withLock { ($0.networks, $0.actions) = ([], []) }
    }

    /// Runs something while the next request is under way, before it arrives.
    func beforeNext(_ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.actions.append(action) }
    }

    /// What an app hands to its registrar.
    func register(_ json: String, _ token: String) async throws -> RegistrationResponse {
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

    /// A request arrives; once more, where a network repeats it.
    @discardableResult
    func arrive(_ json: String, _ token: String) throws -> RegistrationResponse {
        try state.withLock { state in
            let known = state.recipients[token]
            do throws(PushCryptError) {
                state.recipients[token] = try Recipient(
                    registration: Registration(parsing: json), deviceToken: token, replacing: known)
                return .accepted(date: time.now)
            } catch {
                guard error.code == .staleGeneration, let known else { throw error }
                return .stale(generation: known.registration.generation)
            }
        }
    }
}
