#if APNs
public import Foundation
public import PushCryptAPNs

/// A server that stands in for APNs on this machine, for the tests of your server.
///
/// It checks requests as Apple documents it: TLS with HTTP/2, the provider token, headers, topic,
/// device token and length. It answers as APNs does, and keeps what it accepts.
///
/// ```swift
/// let server = try await APNsTestServer()
/// let apns = try APNsClient(server.authentication, environment: server.environment)
/// let headers = APNsHeaders(topic: "com.example.app")
/// let push = try sealer.seal(json: json, for: device, headers: headers)
/// try await apns.send(push, to: String(repeating: "0a", count: 32))
/// print(server.pushes.count)
/// try await server.stop()
/// ```
///
/// Its keys and certificates are public, so they protect nothing. Add the product to test targets
/// only.
public final class APNsTestServer: Sendable {
    /// A push that the server has accepted.
    public struct Push: Sendable, Hashable {
        /// The value of `apns-id`, or a new one if the request had none.
        public let id: UUID

        /// The device token, in hexadecimal.
        public let deviceToken: String

        /// The value of `apns-topic`.
        public let topic: String

        /// The header fields by their names, in lowercase.
        public let headers: [String: String]

        /// The payload.
        public let payload: [UInt8]
    }

    /// An answer to a valid request.
    public struct Answer: Sendable {
        /// The push is accepted.
        public static let accepted = Answer(behavior: .accept())

        /// The push is rejected.
        ///
        /// ```swift
        /// let server = try await APNsTestServer { push in
        ///     guard push.deviceToken.hasPrefix("00") else { return .accepted }
        ///     return .rejected(410, "Unregistered", timestamp: Date())
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - status: The status code, such as 410.
        ///   - reason: The reason that APNs documents for it, such as `Unregistered`.
        ///   - timestamp: The time at which APNs last confirmed that the token isn't valid, for the
        ///     status 410.
        ///   - retryAfter: The pause in seconds that APNs asks for.
        /// - Returns: The answer.
        public static func rejected(
            _ status: Int, _ reason: String, timestamp: Date? = nil, retryAfter: Int? = nil
        ) -> Answer {
            Answer(
                behavior: .answer(
                    status, reason, headers: retryAfter.map { ["retry-after": "\($0)"] } ?? [:],
                    timestamp: timestamp.map { Int($0.timeIntervalSince1970 * 1000) }))
        }

        let behavior: Behavior
    }

    /// The environment for clients: the server's host and port, and the certificate to trust.
    public let environment: APNsEnvironment

    /// The credentials that the server accepts.
    public let authentication: APNsAuthentication

    private let server: TestAPNsServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - topic: The bundle ID of the app.
    ///   - port: The port on 127.0.0.1, or 0 for any that is free.
    ///   - answer: A closure that returns the answer to each valid request, on any thread.
    /// - Throws: An error of the network if the port can't be used.
    public init(
        topic: String = "com.example.app", port: Int = 0,
        answer: @escaping @Sendable (Push) -> Answer = { _ in .accepted }
    ) async throws {
        var options = TestAPNsServer.Options()
        options.topic = topic
        options.port = port
        server = try await TestAPNsServer(options, script: { answer(Push($0)).behavior })
        environment = try APNsEnvironment(
            host: server.host, port: server.port, trusting: Certificates.authority)
        let key = ProviderKey.first
        authentication = try .token(p8: key.p8, keyID: key.keyID, teamID: key.teamID)
    }

    /// The port on 127.0.0.1.
    public var port: Int { server.port }

    /// The accepted pushes, the oldest first, as often as they arrived.
    public var pushes: [Push] { server.record.pushes.map(Push.init) }

    /// Closes all connections and frees the port.
    ///
    /// - Throws: An error of the network.
    public func stop() async throws { try await server.stop() }
}

extension APNsTestServer.Push {
    fileprivate init(_ request: Request) {
        id = request.id
        deviceToken = request.deviceToken
        topic = request.topic
        headers = request.headers
        payload = request.payload
    }
}
#endif
