import Foundation
import PushCryptSender
import PushCryptSystem

@testable import PushCryptCLI

/// A client without a network, whose results a script gives.
final class FakeSender: PushSender {
    /// A submitted push.
    struct Submission: Sendable {
        let push: LinePush
        /// The number of earlier submissions with the same device token.
        let attempt: Int
        /// The number of all earlier submissions.
        let index: Int

        /// The number in the device token.
        var number: Int { Int(push.token, radix: 16) ?? 0 }
        var id: UUID? { push.headers.id }
    }

    private struct Held: Sendable {
        let number: Int
        let result: PushResult?
    }

    private struct State {
        var submissions: [Submission] = []
        var attempts: [String: Int] = [:]
        var held: [Held] = []
        var receive: PushReceiver = { _ in }
        var mostHeld = 0
        var cancellations = 0
    }

    private let state = LockedValue(State())
    private let isHeld: @Sendable (Submission) -> Bool
    private let script: @Sendable (Submission) -> PushResult?

    /// Creates a client whose pushes get the results of a script at once, or no result until
    /// they're cancelled.
    convenience init(
        _ script: @escaping @Sendable (Submission) -> PushResult? = { _ in
            .accepted(mayArriveTwice: false)
        }
    ) {
        self.init(holding: { _ in false }, script)
    }

    /// Creates a client that holds the results of some pushes until they're released.
    init(
        holding isHeld: @escaping @Sendable (Submission) -> Bool,
        _ script: @escaping @Sendable (Submission) -> PushResult? = { _ in
            .accepted(mayArriveTwice: false)
        }
    ) {
        self.isHeld = isHeld
        self.script = script
    }

    var submissions: [Submission] { state.withLock { $0.submissions } }
    /// The numbers in the device tokens of all submitted pushes, in their order.
    var numbers: [Int] { submissions.map(\.number) }
    var cancellations: Int { state.withLock { $0.cancellations } }
    /// The number of pushes without a result.
    var held: Int { state.withLock { $0.held.count } }
    /// The most pushes that were without a result at the same time.
    var mostHeld: Int { state.withLock { $0.mostHeld } }

    /// Returns the client, whose results go to a receiver from now on.
    func sending(to receive: @escaping PushReceiver) -> FakeSender {
        state.withLock { $0.receive = receive }
        return self
    }

    func submit(_ push: LinePush, number: Int) {
        let submission = state.withLock { state in
            let submission = Submission(
                push: push, attempt: state.attempts[push.token, default: 0],
                index: state.submissions.count)
            state.submissions.append(submission)
            state.attempts[push.token, default: 0] += 1
            return submission
        }
        let result = script(submission)
        if let result, !isHeld(submission) { return give([Held(number: number, result: result)]) }
        state.withLock { state in
            state.held.append(Held(number: number, result: result))
            state.mostHeld = max(state.mostHeld, state.held.count)
        }
    }

    func cancelAll() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.cancellations += 1
            return state.held
        }
        give(held.map { Held(number: $0.number, result: .failed(.cancelled)) })
    }

    /// Waits until a number of pushes have no result.
    func wait(toHold count: Int) {
        while held < count { usleep(200) }
    }

    /// Releases the results that are held, the last one first.
    func release() {
        let released = state.withLock { state in
            let released = state.held.filter { $0.result != nil }
            state.held.removeAll { $0.result != nil }
            return released
        }
        give(released.reversed())
    }

    private func give(_ results: [Held]) {
        let receive = state.withLock { $0.receive }
        receive(
            results.compactMap { held in
                held.result.map { NumberedResult(number: held.number, result: $0) }
            })
    }
}

extension PushFailure {
    private static func error(_ code: String) -> PushCryptError {
        PushCryptError(PushCryptError.Code(rawValue: code), "The reason for \(code).")
    }

    static let cancelled = PushFailure(
        error: error("cancelled"), advice: .retry, mayBeAccepted: true)
    static let unreachable = PushFailure(
        error: error("no-connection"), advice: .retry, isUnreachable: true)
    /// The connection ended after the request was sent, and there was no other.
    static let unreachableAfterCut = PushFailure(
        error: error("no-answer"), advice: .retry, mayBeAccepted: true, isUnreachable: true)
    static let noAnswer = PushFailure(
        error: error("no-answer"), advice: .retry, mayBeAccepted: true)
    static let busy = PushFailure(
        error: error("too-many-requests"), advice: .retry, status: 429, retryAfter: 120)
    static let unregistered = PushFailure(
        error: error("unregistered"), advice: .deleteToken, status: 410,
        timestamp: Date(timeIntervalSince1970: 1.5))
    static let unsealed = PushFailure(error: error("unsealed"), advice: .fixRequest)
    static let credentials = PushFailure(
        error: error("invalid-provider-token"), advice: .checkCredentials, status: 403,
        concernsAllPushes: true)
    static let wrongTopic = PushFailure(
        error: error("unrelated-key-id-in-token"), advice: .checkCredentials, status: 403)
}
