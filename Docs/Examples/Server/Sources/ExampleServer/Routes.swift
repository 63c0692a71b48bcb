import Foundation
import Hummingbird
import PushCryptAPNs

/// The requests that the server answers.
struct Routes: Sendable {
    let access: Access
    let store: Store
    let keys: SigningKeyringSource
    let lists: SignerLists
    /// The server's part of proofs; `nil` accepts registrations without a proof.
    let proofs: ProofOfPossession?
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
        router.get("registrations", use: devices)
        router.post("messages", use: post)
        router.post("registration-requests", use: requestRegistrations)
        router.get("live", use: live)
        router.get("ready", use: ready)
        router.get("health", use: health)
        return router
    }

    /// Stores a device of the user, or has it prove its registration first, and hands out the lists
    /// of accepted keys.
    ///
    /// Hummingbird adds the header `Date`, which the device's keys need.
    @Sendable private func register(_ request: Request, _ context: BasicRequestContext) async throws
        -> Response
    {
        let user = try access.user(request)
        try await rate.count(user, from: access.address(request), at: now())
        let data = try await request.body.collect(upTo: Limits.registrationBody)
        let registration = try RegistrationRequest(parsing: Array(data.readableBytesView))
        guard registration.carrier == .apns else {
            throw HTTPError(.badRequest, message: "The server sends to APNs only. Omit 'carrier'.")
        }
        let desk = RegistrationDesk(proofs: proofs, sealer: try sealer, topic: topic)
        let isStored = try await store.register(registration, account: user, by: desk, at: now())
        wake()
        let lists = lists.listing(try keys.keyring, context.logger)
        guard !isStored || !lists.isEmpty else { return Response(status: .noContent) }
        var response = try ["lists": lists].response(from: request, context: context)
        // The app waits for the challenge.
        if !isStored { response.status = .accepted }
        return response
    }

    /// A device in the answer to its user.
    ///
    /// The token is shortened, because it names the device to APNs.
    private struct DeviceRow: ResponseEncodable {
        let token: String
        let registered: Date
        let isProved: Bool
    }

    /// Returns the devices of the user, so that the user can find a foreign one.
    @Sendable private func devices(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> [DeviceRow] {
        try await store.devices(of: access.user(request)).map { recipient in
            DeviceRow(
                token: String(recipient.deviceToken.prefix(8)), registered: recipient.registered,
                isProved: recipient.proved != nil)
        }
    }

    private var sealer: Sealer {
        get throws {
            Sealer(.signed(by: try keys.keyring), proofs: proofs?.requirement ?? .notRequired)
        }
    }

    /// Deletes a device when its user signs out, or the operator resets it; its next registration
    /// is then a first one.
    @Sendable private func delete(_ request: Request, _ context: BasicRequestContext) async throws
        -> Response
    {
        let user = try access.isOperator(request) ? query(request, "user") : access.user(request)
        try await store.delete(
            deviceToken: context.parameters.require("token"), account: user, at: now())
        return Response(status: .noContent)
    }

    /// Seals the payload in the body for each device of a user, and answers when all are in the
    /// outbox.
    ///
    /// The same message ID again adds nothing, so the operator can repeat a request that got no
    /// answer.
    @Sendable private func post(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> EditedResponse<[String: Int]> {
        try access.requireOperator(request)
        let (id, user, now) = (try messageID(request), try query(request, "user"), now())
        let payload = try await request.body.collect(upTo: Limits.messageBody)
        let sealer = try sealer
        let push = try sealer.prepare(
            json: Array(payload.readableBytesView), headers: APNsHeaders(topic: topic))
        let devices = try await store.enqueue(id, to: user, at: now) { device in
            do throws(PushCryptError) {
                return try push.seal(for: device)
            } catch {
                // The row is from before proofs, and its device hasn't proved it since.
                if error.code == .unprovedRecipient { return nil }
                guard error.code == .noAcceptedKey else { throw error }
                // The user sees that something came. The app registers when the user opens it.
                context.logger.warning("placeholder sent", metadata: ["error": "\(error.code)"])
                var headers = push.headers
                headers.expiration = .at(now + min(sealer.lifetime, device.lifetime))
                return try .placeholder(.standard, headers: headers)
            }
        }
        wake()
        return EditedResponse(status: .accepted, response: ["devices": devices])
    }

    func messageID(_ request: Request) throws -> UUID {
        guard let id = try UUID(uuidString: query(request, "id")) else {
            throw HTTPError(.badRequest, message: "'id' isn't a UUID. Give each message a new one.")
        }
        return id
    }

    private func query(_ request: Request, _ name: String) throws -> String {
        guard let value = request.uri.queryParameters[name[...]], !value.isEmpty else {
            throw HTTPError(.badRequest, message: "'\(name)' is missing. Add it to the query.")
        }
        return String(value)
    }
}

/// Answers errors of the library with status 400 and their reason, which contains neither content
/// nor keys.
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

/// The answer to a registration that is too old or too new, or has a former key, with the library's
/// generation.
struct StaleRegistration: HTTPResponseError {
    let generation: UInt64
    let status = HTTPResponse.Status.conflict

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try ["generation": generation].response(from: request, context: context)
        response.status = status
        return response
    }
}
