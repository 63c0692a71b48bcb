// PushCrypt for JavaScript, Dart and Objective-C: a file of the app's target, or of the framework's module in the app.
import Foundation
import PushCryptApple

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(UIKit)
import UIKit
#endif

/// Registers the device, and opens pushes that the app gets.
///
/// The groups, the server's key and the carrier come from the app's Info.plist. The device's keys are in the keychain
/// group, where the notification service extension finds them.
nonisolated public struct PushCryptBridge: Sendable {
    /// A server that answers with an unexpected status.
    public struct Refusal: Error, CustomStringConvertible {
        let status: Int

        /// The status, for a log.
        public var description: String { "The server has answered with status \(status). Read its log." }
    }

    /// The app's endpoint for registrations.
    let url: URL
    /// The header fields that authenticate the user.
    let headers: [String: String]
    /// The server's permanent name of the signed-in user; empty without accounts.
    let account: String
    /// The store of the device's keys.
    var keys: any KeyringStore = KeychainStore()
    /// The device's secrets, which prove what notifications displayed.
    var secrets: any DeviceSecretsStore = KeychainSecretsStore()
    /// The senders whose messages are opened.
    var senderPolicy = SenderPolicy.infoPlist
    /// The service that delivers the app's pushes.
    var carrier = Carrier.infoPlist

    /// Creates the bridge to an endpoint.
    public init(url: String, headers: [String: String], account: String = "") throws {
        guard let url = URL(string: url), url.scheme == "https" || url.host == "localhost" else {
            throw URLError(.badURL)
        }
        self.url = url
        self.headers = headers
        self.account = account
    }

    // MARK: Registering

    /// Registers the device's key with the carrier's token, if the server doesn't have both.
    ///
    /// Call it at each launch, when the framework has its token.
    public func register(token: String) async throws {
        try prepare()
        try await registrar().register(token: token, with: send)
    }

    /// Registers, or answers the server's challenge, if a background push asks for it; returns whether it did.
    public func answer(_ userInfo: [AnyHashable: Any], token: String) async throws -> Bool {
        try prepare()
        return try await registrar().register(ifAskedBy: userInfo, token: token, with: send)
    }

    /// Creates the state that the app shares with its extension.
    private func prepare() throws {
        guard let directory = SharedContainer.path else { return }
        try SharedState(inSharedDirectory: directory, secrets: secrets).prepare(display: .full)
    }

    private func registrar() async throws -> DeviceRegistrar {
        try DeviceRegistrar(
            store: keys, vendor: await Self.vendor(), account: account, senderPolicy: senderPolicy, carrier: carrier)
    }

    @MainActor private static func vendor() -> UUID? { UIDevice.current.identifierForVendor }

    /// Sends a registration, and reads the server's answer as Docs/KeyManagement.md describes it.
    @Sendable private func send(_ registration: RegistrationRequest) async throws -> RegistrationResponse {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(registration.json.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = response as? HTTPURLResponse
        let date = answer?.value(forHTTPHeaderField: "Date").flatMap(Self.time)
        let lists = (try? JSONDecoder().decode(Lists.self, from: data))?.lists ?? []
        switch answer?.statusCode ?? 0 {
        case 202: return .challenged(date: date, signerLists: lists)
        case 200..<300: return .accepted(date: date, signerLists: lists)
        case 409: return .stale(generation: try JSONDecoder().decode(Stale.self, from: data).generation)
        case let status: throw Refusal(status: status)
        }
    }

    private struct Lists: Decodable {
        let lists: [String]?
    }

    private struct Stale: Decodable {
        let generation: UInt64
    }

    private static func time(_ header: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: header)
    }
}

// MARK: Opening

nonisolated extension PushCryptBridge {
    /// Returns the original payload of a push as JSON: of a notification that was tapped, or of a background push.
    public static func open(_ userInfo: [AnyHashable: Any], kind: MessageKind = .notification) throws -> String {
        try open(userInfo, as: kind, with: Opener(keys: KeychainStore(), senderPolicy: .infoPlist, carrier: .infoPlist))
    }

    static func open(_ userInfo: [AnyHashable: Any], as kind: MessageKind, with opener: Opener) throws -> String {
        let reader = try PayloadReader(userInfo: userInfo, as: [kind], opener: opener, unsealed: .reject)
        return String(decoding: reader.json, as: UTF8.self)
    }
}
