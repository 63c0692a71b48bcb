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
    /// The proofs of possession; without them, registrations are accepted without a proof.
    let proofs: Proofs?
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

    struct Proofs: Decodable, Sendable {
        /// The path of the file with the secret of challenges.
        let secret: String
        /// The time at which proofs were switched on, such as `2026-11-26T00:00:00Z`.
        let since: String
    }

    init(path: String) throws {
        try Self.checkMode(path)
        self = try JSONDecoder().decode(
            Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Throws if the group or others may access the file.
    private static func checkMode(_ path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 == 0
        else {
            throw Exposed(path: path)
        }
    }

    /// The error for settings that others can access.
    struct Exposed: Error, CustomStringConvertible {
        let path: String

        var description: String { "Other users can access \(path). Run: chmod 600 \(path)" }
    }

    /// The server's part of proofs; `nil` without the setting.
    var possession: ProofOfPossession? {
        get throws {
            guard let proofs else { return nil }
            guard let start = ISO8601DateFormatter().date(from: proofs.since) else {
                throw Invalid(
                    reason: "'proofs.since' isn't a time. Write it as 2026-11-26T00:00:00Z.")
            }
            return ProofOfPossession(
                topic: topic, secrets: try ChallengeSecrets(contentsOf: proofs.secret),
                start: start,
                challengeLifetime: Limits.challengeLifetime)
        }
    }

    /// The error for a setting that can't be read.
    struct Invalid: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    var authentication: APNsAuthentication {
        get throws {
            // Without a file, each restart would sign a token, and APNs rejects new ones within 20
            // minutes.
            try .token(
                p8: Self.text(p8), keyID: keyID, teamID: teamID,
                tokenFile: database + "-provider-token")
        }
    }

    var environment: APNsEnvironment {
        get throws {
            guard let apns else { return sandbox == true ? .sandbox : .production }
            return try APNsEnvironment(
                host: apns.host, port: apns.port, trusting: Self.text(apns.ca))
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    }
}
