#if APNs
internal import NIOSSL
public import PushCryptSender

/// A server of APNs
/// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
public struct APNsEnvironment: Sendable {
    /// The server for apps from the App Store, TestFlight and enterprises.
    public static let production = Self("api.push.apple.com")
    /// The server for apps that Xcode installs.
    public static let sandbox = Self("api.sandbox.push.apple.com")

    let host: String
    /// The port: 443, or 2197 if a firewall lets only that one through.
    public var port = 443
    let trustRoots: NIOSSLTrustRoots

    private init(_ host: String, port: Int = 443, _ trustRoots: NIOSSLTrustRoots = .default) {
        self.host = host
        self.port = port
        self.trustRoots = trustRoots
    }

    /// Creates the environment of another server, for tests.
    ///
    /// - Parameters:
    ///   - host: The name of the server, which its certificate must have.
    ///   - port: The port of the server.
    ///   - certificates: The PEM-encoded root certificates to trust. Pass `nil` to use the system's
    ///     roots.
    /// - Throws: `PushCryptError` with `invalidConfiguration`.
    public init(host: String, port: Int, trusting certificates: String? = nil)
        throws(PushCryptError)
    {
        guard (1...65535).contains(port), !host.isEmpty,
            host.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x2E })
        else {
            throw PushCryptError(
                .invalidConfiguration,
                "The host or its port isn't valid. Give a name and 1 to 65535.")
        }
        guard let certificates else {
            self.init(host, port: port)
            return
        }
        guard let roots = try? NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8)),
            !roots.isEmpty
        else {
            throw PushCryptError(
                .invalidConfiguration, "The trusted certificates aren't a PEM text. Correct them.")
        }
        self.init(host, port: port, .certificates(roots))
    }
}
#endif
