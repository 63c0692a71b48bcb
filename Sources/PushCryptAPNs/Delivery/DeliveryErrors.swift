#if APNs
internal import PushCryptFoundation
internal import PushCryptSender

/// The errors of pushes that APNs hasn't answered.
struct DeliveryErrors: Sendable {
    private let server: String

    init(_ environment: APNsEnvironment) { server = "\(environment.host):\(environment.port)" }

    /// Returns the error of a push that got no answer because of a problem.
    func unanswered(_ request: PushRequest, _ problem: ConnectionProblem) -> APNsError {
        let advice = problem.kind == .final ? APNsError.Advice.checkCredentials : .retry
        var error: APNsError
        if request.mayBeAccepted {
            error = APNsError(
                .noAnswer,
                """
                APNs hasn't answered (\(problem.cause)), and may have accepted the push. Send it \
                again with the same ID.
                """, advice: advice, id: request.id)
        } else {
            error = APNsError(
                .noConnection,
                "The connection to \(server) failed: \(problem.cause). \(problem.fix)",
                advice: advice,
                id: request.id)
        }
        error.mayBeAccepted = request.mayBeAccepted
        error.isUnreachable = problem.kind == .unreachable
        return error
    }

    /// Returns the error of a push whose task or client has ended.
    static func cancelled(_ id: UUID, mayBeAccepted: Bool) -> APNsError {
        let chance =
            mayBeAccepted ? ", and APNs may have accepted the push" : " before the push was sent"
        var error = APNsError(
            .cancelled, "The task or the client ended\(chance). Send it again.", advice: .retry,
            id: id)
        error.mayBeAccepted = mayBeAccepted
        return error
    }

    /// Returns the error of a push whose provider token can't be signed.
    func unsigned(_ id: UUID) -> APNsError {
        APNsError(
            .invalidKey, "The provider token can't be signed. Check the key.",
            advice: .checkCredentials, id: id)
    }
}
#endif
