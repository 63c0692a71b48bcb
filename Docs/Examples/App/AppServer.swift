import Foundation
import PushCryptApple

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's own server, which stores the device's public key with the device token.
nonisolated struct AppServer: Sendable {
    let register: PushInbox.SendRegistration
    /// Your server's permanent name of the signed-in user, which a proof binds; empty in an app
    /// without users.
    var account: String { "" }

    /// Your server, with the user's session: an attacker who registers a key can read the pushes.
    static let live = AppServer { registration in
        guard let url = URL(string: "https://api.example.com/devices") else {
            throw URLError(.badURL)
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(registration.json.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer YOUR_SESSION", forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        return try RegistrationResponse(
            status: response.statusCode, headers: response.allHeaderFields, body: body)
    }

    /// A server for the first try, which logs the device token, and the command that seals a push
    /// for the device.
    static let logging = AppServer { registration in
        NSLog(
            "The device token is %@. This command seals a push for the device:",
            registration.deviceToken)
        NSLog(
            "%@",
            """
            echo '{"aps":{"alert":"It works."}}' | pushcrypt seal --to \
            '\(registration.registration)' --sign-with ../Keys/server.jwks > sealed.json
            """)
        return .accepted(date: nil)
    }
}
