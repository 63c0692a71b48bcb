import Foundation
import PushCryptTesting
import Synchronization

@testable import ExampleServer
@testable import PushCryptAPNs

/// A stand-in for APNs that answers by device token, and remembers what it got.
final class FakeAPNs: PushService {
    struct Sent: Sendable, Equatable {
        let headers: APNsHeaders
        let deviceToken: String
        let payload: [UInt8]

        var id: UUID? { headers.id }
    }

    typealias Answer = @Sendable (Sent) -> APNsError?

    private let answer: Answer
    private let state = Mutex<[Sent]>([])

    init(_ answer: @escaping Answer = { _ in nil }) {
        self.answer = answer
    }

    var sent: [Sent] { state.withLock { $0 } }

    func send(_ push: APNsPush, to deviceToken: String) async throws(APNsError) -> APNsReceipt {
        let sent = Sent(headers: push.headers, deviceToken: deviceToken, payload: push.payload)
        state.withLock { $0.append(sent) }
        if let error = answer(sent) { throw error }
        return APNsReceipt(
            id: push.headers.id ?? UUID(), uniqueID: nil, attempts: 1, mayArriveTwice: false)
    }

    func check(topic: String) async throws(APNsError) {
        if let error = answer(Sent(headers: APNsHeaders(), deviceToken: "", payload: [])) {
            throw error
        }
    }
}

extension APNsError {
    static func unregistered(_ timestamp: Date?) -> APNsError {
        var error = APNsError(.init(rawValue: "unregistered"), "", advice: .deleteToken, id: UUID())
        error.timestamp = timestamp
        return error
    }

    static var unanswered: APNsError {
        APNsError(.init(rawValue: "no-answer"), "", advice: .retry, id: UUID())
    }
}
