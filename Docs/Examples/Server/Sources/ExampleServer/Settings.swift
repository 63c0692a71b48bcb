import Foundation
import PushCryptAPNs

/// The settings: a JSON file with mode 0600, because it contains secrets.
struct Settings: Decodable, Sendable {
    /// The port on the loopback interface, behind a proxy that ends TLS.
    let port: Int
    /// The path of the SQLite database.
    let database: String
    /// The path of the signing keyring, which the first start creates.
    let keyring: String
    /// The path of a file with the lists of accepted keys, one per line.
    let signerLists: String?
    /// The bundle ID of the app.
    let topic: String
    /// The bearer token of the service that posts messages.
    let operatorToken: String
    /// The bearer tokens of the users; your server has sessions instead.
    let userTokens: [String: String]
    /// The path of the file `AuthKey_….p8`.
    let p8, keyID, teamID: String
    /// Apps that Xcode installs use the sandbox.
    let sandbox: Bool?
    /// Another server, for tests.
    let apns: Server?

    struct Server: Decodable, Sendable {
        let host: String, port: Int
        /// The path of the certificates to trust.
        let ca: String
    }

    init(path: String) throws {
        try Self.checkMode(path)
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Throws if the group or others may access the file.
    private static func checkMode(_ path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 == 0 else {
            throw Exposed(path: path)
        }
    }

    /// The error for settings that others can access.
    struct Exposed: Error, CustomStringConvertible {
        let path: String

        var description: String { "Other users can access \(path). Run: chmod 600 \(path)" }
    }

    var authentication: APNsAuthentication {
        get throws {
            // Without a file, each restart would sign a token, and APNs rejects new ones within 20 minutes.
            try .token(p8: Self.text(p8), keyID: keyID, teamID: teamID, tokenFile: database + "-provider-token")
        }
    }

    var environment: APNsEnvironment {
        get throws {
            guard let apns else { return sandbox == true ? .sandbox : .production }
            return try APNsEnvironment(host: apns.host, port: apns.port, trusting: Self.text(apns.ca))
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    }
}
