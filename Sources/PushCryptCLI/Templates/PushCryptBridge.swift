// PushCrypt for JavaScript, Dart and Objective-C: a file of the app's target, or of the framework's
// module in the app.
import Foundation
import PushCryptApple

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Registers the device, and opens pushes that the app gets.
///
/// The groups, the server's key and the carrier come from the app's Info.plist. The device's keys
/// are in the keychain group, where the notification service extension finds them.
nonisolated public struct PushCryptBridge: Sendable {
    static let inbox = PushInbox(.infoPlist)

    /// The app's endpoint for registrations.
    let url: URL
    /// The header fields that authenticate the user.
    let headers: [String: String]
    /// The server's permanent name of the signed-in user; empty without accounts.
    let account: String

    /// Creates the bridge to an endpoint.
    public init(url: String, headers: [String: String], account: String = "") throws {
        guard let url = URL(string: url), url.scheme == "https" || url.host == "localhost" else {
            throw URLError(.badURL)
        }
        self.url = url
        self.headers = headers
        self.account = account
    }

    /// Registers the device's key with the carrier's token, if the server doesn't have both.
    ///
    /// Call it at each launch, when the framework has its token.
    public func register(token: String) async throws {
        Self.inbox.prepare()
        try await Self.inbox.register(DeviceToken(token), account: account, with: send)
    }

    /// Registers, or answers the server's challenge, if a background push asks for it; returns
    /// whether it did.
    public func answer(_ userInfo: [AnyHashable: Any], token: String) async throws -> Bool {
        guard case .asksToRegister = try await Self.inbox.open(userInfo) else { return false }
        try await register(token: token)
        return true
    }

    /// Sends a registration, and reads the server's answer as Docs/KeyManagement.md describes it.
    @Sendable private func send(_ registration: RegistrationRequest) async throws
        -> RegistrationResponse
    {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(registration.json.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        return try RegistrationResponse(
            status: response.statusCode, headers: response.allHeaderFields, body: body)
    }

    /// Returns the original payload of a push as JSON: of a notification that was tapped, or of a
    /// background push.
    public static func open(_ userInfo: [AnyHashable: Any], kind: MessageKind = .notification)
        throws -> String
    {
        try open(userInfo, as: kind, with: inbox.configuration)
    }

    static func open(
        _ userInfo: [AnyHashable: Any], as kind: MessageKind, with configuration: PushConfiguration
    ) throws -> String {
        let reader = try PayloadReader(
            userInfo: userInfo, as: [kind], opener: configuration.opener,
            unsealed: configuration.unsealedPayloads)
        return String(decoding: reader.json, as: UTF8.self)
    }
}
