import Foundation
import PushCryptApple

/// The app's own server, which stores the device's public key with the device token.
///
/// Paths and members are an example. Require a signed-in user, because an attacker who registers a key can read the pushes
/// (Docs/KeyManagement.md, part 4).
nonisolated struct AppServer: Sendable {
    struct Reply: Sendable {
        var status: Int
        /// The header `Date`.
        var date: String?
        var body = Data()
    }

    struct Refusal: Error {
        let status: Int
    }

    /// Sends a body, and returns what the server replies.
    var post: @Sendable (_ path: String, _ body: Data) async throws -> Reply

    /// Sends a registration, if the server doesn't have the key, the token or the account.
    func register(_ request: RegistrationRequest) async throws -> RegistrationResponse {
        let reply = try await post("devices", Data(request.json.utf8))
        let date = reply.date.flatMap(Self.time)
        // A server with one key hands out no lists of accepted keys.
        let lists = (try? JSONDecoder().decode(Accepted.self, from: reply.body))?.lists ?? []
        switch reply.status {
        case 202:
            // The server has sent a challenge, which didReceiveRemoteNotification gets.
            return .challenged(date: date, signerLists: lists)
        case 200..<300:
            return .accepted(date: date, signerLists: lists)
        case 409:
            // The server's `Recipient` has thrown `staleGeneration`, and the body has the number of the error.
            let stale = try JSONDecoder().decode(Stale.self, from: reply.body)
            return .stale(generation: stale.generation)
        default:
            throw Refusal(status: reply.status)
        }
    }

    private struct Accepted: Decodable {
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

nonisolated extension AppServer {
    /// A server for the first try, which logs the device token, and the command that seals a push for the device.
    static let logging = AppServer { _, body in
        let request = try RegistrationRequest(parsing: body)
        pushLog("The device token is \(request.deviceToken). This command seals a push for the device:")
        pushLog(AppServer.sealCommand(for: request))
        return Reply(status: 200)
    }

    /// Returns a command for a shell in the project's directory.
    static func sealCommand(for request: RegistrationRequest) -> String {
        """
        echo '{"aps":{"alert":"It works."}}' | pushcrypt seal --to '\(request.registration)' \
        --sign-with ../Keys/server.jwks > sealed.json
        """
    }
}

// On Linux, URLSession is in another module.
#if canImport(Darwin)
nonisolated extension AppServer {
    static let live = AppServer { path, body in
        guard let url = URL(string: "https://api.example.com/" + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // Add the user's session here.
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return Reply(status: response.statusCode, date: response.value(forHTTPHeaderField: "Date"), body: data)
    }
}
#else
nonisolated extension AppServer {
    static let live = AppServer { _, _ in throw Refusal(status: 0) }
}
#endif
