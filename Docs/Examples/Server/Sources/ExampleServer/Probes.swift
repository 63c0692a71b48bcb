import Hummingbird

extension Routes {
    /// Answers 200 as long as the process answers at all.
    @Sendable func live(_ request: Request, _ context: BasicRequestContext) -> HTTPResponse.Status {
        .ok
    }

    /// Answers 200 if the database answers and the sender runs.
    ///
    /// Strangers may ask, so the body is empty.
    @Sendable func ready(_ request: Request, _ context: BasicRequestContext) async
        -> HTTPResponse.Status
    {
        guard await sending.isRunning, (try? await store.check()) != nil else {
            return .serviceUnavailable
        }
        return .ok
    }

    /// Answers 200 if APNs accepts the credentials, and tells how many pushes wait.
    @Sendable func health(_ request: Request, _ context: BasicRequestContext) async throws
        -> [String: Int]
    {
        // Each check is a request to APNs, so not everyone may cause it.
        try access.requireOperator(request)
        do {
            try await apns.check(topic: topic)
        } catch {
            throw HTTPError(.serviceUnavailable, message: "\(error)")
        }
        return ["waiting": try await store.waitingCount()]
    }
}
