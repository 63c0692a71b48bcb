import Foundation
import PushCryptApple

/// The app's own server, where it stores the device's public key beside the device token.
///
/// Paths and members are an example; what matters is that the user is signed in, because whoever can register a key reads the
/// pushes (Docs/KeyManagement.md, part 4).
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

    /// Sends a registration; `DeviceRegistrar` calls it when the server has to know something new.
    func register(_ registration: String, _ deviceToken: String) async throws -> DeviceRegistrar.Answer {
        let body = try JSONEncoder().encode(["token": deviceToken, "registration": registration])
        let reply = try await post("devices", body)
        switch reply.status {
        case 200..<300:
            return .confirmed(at: reply.date.flatMap(Self.time))
        case 409:
            // `Recipient.updating` has thrown `staleGeneration`, and the server says what it knows.
            let stale = try JSONDecoder().decode(Stale.self, from: reply.body)
            return .stale(generation: stale.generation)
        default:
            throw Refusal(status: reply.status)
        }
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
    /// For a first try, before there is a server: prints what it would get, the device token and the device's public key.
    static let printing = AppServer { path, body in
        print("Push: POST \(path) \(String(decoding: body, as: UTF8.self))")
        return Reply(status: 200)
    }
}

// Elsewhere URLSession is in a module of its own.
#if canImport(Darwin)
nonisolated extension AppServer {
    static let live = AppServer { path, body in
        guard let url = URL(string: "https://api.example.com/" + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // Here goes what shows that the user is signed in.
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
