import Foundation
import Hummingbird
import PushCryptAPNs

/// The requests that the server answers.
struct Routes: Sendable {
    let access: Access
    let store: Store
    let keys: KeyringSource<SigningKey>
    let apns: any PushService
    let topic: String
    let rate = RegistrationRate()
    let sending: SendingState
    let wake: Wake
    let now: @Sendable () -> Date

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: Refusals())
        router.post("registrations", use: register)
        router.delete("registrations/:token", use: delete)
        router.post("messages", use: post)
        router.get("live", use: live)
        router.get("ready", use: ready)
        router.get("health", use: health)
        return router
    }

    /// The body that the app sends, with the registration as text.
    private struct DeviceRegistration: Decodable {
        let token: String
        let registration: String
    }

    /// Stores a device of the user; Hummingbird adds the header `Date`, which the device's keys need.
    @Sendable private func register(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let user = try access.user(request)
        try await rate.count(user, at: now())
        let data = try await request.body.collect(upTo: Limits.registrationBody)
        guard let body = try? JSONDecoder().decode(DeviceRegistration.self, from: data) else {
            throw HTTPError(.badRequest, message: "The body isn't a registration. Send 'token' and 'registration'.")
        }
        let registration = try Registration(parsing: body.registration)
        try await store.register(registration, deviceToken: body.token, account: user, at: now())
        return Response(status: .noContent)
    }

    /// Deletes a device when its user signs out, or the operator resets it; its next registration is then a first one.
    @Sendable private func delete(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let user = try access.isOperator(request) ? query(request, "user") : access.user(request)
        try await store.delete(deviceToken: context.parameters.require("token"), account: user, at: now())
        return Response(status: .noContent)
    }

    /// Seals the payload in the body for each device of a user, and answers when all are in the outbox.
    ///
    /// The same message ID again adds nothing, so the operator can repeat a request that got no answer.
    @Sendable private func post(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> EditedResponse<[String: Int]> {
        try access.requireOperator(request)
        guard let id = try UUID(uuidString: query(request, "id")) else {
            throw HTTPError(.badRequest, message: "'id' isn't a UUID. Give each message a new one.")
        }
        let user = try query(request, "user")
        let payload = try await request.body.collect(upTo: Limits.messageBody)
        let push = try Sealer(.signed(by: keys.primaryKey))
            .prepare(json: Array(payload.readableBytesView), headers: APNsHeaders(topic: topic))
        let devices = try await store.enqueue(id, to: user, at: now()) { try push.seal(for: $0) }
        wake()
        return EditedResponse(status: .accepted, response: ["devices": devices])
    }

    private func query(_ request: Request, _ name: String) throws -> String {
        guard let value = request.uri.queryParameters[name[...]], !value.isEmpty else {
            throw HTTPError(.badRequest, message: "'\(name)' is missing. Add it to the query.")
        }
        return String(value)
    }
}

/// Answers errors of the library with status 400 and their reason, which contains neither content nor keys.
private struct Refusals<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as PushCryptError {
            throw HTTPError(.badRequest, message: "\(error)")
        }
    }
}

/// The answer to a registration that is too old or too new, or has a former key, with the library's generation.
struct StaleRegistration: HTTPResponseError {
    let generation: UInt64
    let status = HTTPResponse.Status.conflict

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try ["generation": generation].response(from: request, context: context)
        response.status = status
        return response
    }
}
