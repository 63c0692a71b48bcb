#if APNs
internal import NIOCore
internal import NIOHTTP2
internal import NIOPosix
internal import NIOSSL
internal import PushCryptFoundation

/// The reason why a connection failed, or why a request on it got no answer, without content and
/// tokens.
struct ConnectionProblem: Error, Sendable {
    /// The consequence for the requests that wait.
    enum Kind: Sendable {
        /// The server, its name or the network can't be reached.
        case unreachable
        /// The server or the credentials are configured wrongly, so that each further connection
        /// fails, too.
        case final
        /// The connection, or a request on it, ended.
        case ended
    }

    let kind: Kind
    /// The cause, as a part of a sentence.
    let cause: String
    /// The next step of the operator.
    let fix: String

    init(_ kind: Kind, _ cause: String, fix: String = "Check the network.") {
        self.kind = kind
        self.cause = cause
        self.fix = fix
    }

    static let closed = Self(.ended, "it closed the connection")
    static let silent = Self(.ended, "it was silent")
    static let late = Self(.ended, "the time is over")
    static let withoutSettings = Self(.ended, "it sent no HTTP/2 settings in time")
    static let withoutStreams = Self(.ended, "it allowed no request in time")
    static let goAway = Self(.ended, "it sent GOAWAY")
    static let shutDown = Self(.ended, "the client ended")
    static let oddFields = Self(.ended, "its answer isn't valid")
    static let slow = Self(.unreachable, "it took no connection in time")
    static let withoutHTTP2 = Self(
        .final, "it doesn't speak HTTP/2", fix: "Check the host, the port, and any proxy.")

    static let withoutClientCertificate = Self(
        .final, "it requires a certificate of the client",
        fix: "Check the host, or give the client a certificate.")

    /// Creates the problem of a stream that the server has reset.
    init(reset code: HTTP2ErrorCode) {
        self.init(.ended, "it reset the request (\(code))")
    }

    init(_ error: any Error) {
        switch error {
        case let error as ConnectionProblem:
            self = error
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            self.init(
                .unreachable, "no address was found for its name",
                fix: "Check the network, and the name.")
        case let error as NIOConnectionError
        where error.connectionErrors.contains(where: Self.isRefusal):
            self.init(
                .unreachable, "it refused the connection", fix: "Check the port, and the firewall.")
        case is NIOConnectionError:
            self.init(.unreachable, "it can't be reached")
        case ChannelError.connectTimeout:
            self = .slow
        case let error as any NIOHTTP2Error:
            self.init(.ended, "it broke a rule of HTTP/2: \(type(of: error))")
        default:
            self = Self.ofTLS(error) ?? Self(.ended, "the connection broke: \(type(of: error))")
        }
    }

    /// Returns the problem of a TLS error; `nil` for any other.
    private static func ofTLS(_ error: any Error) -> Self? {
        let fix = "Check its certificate, and the trusted ones."
        if let error = error as? NIOSSLExtraError {
            return Self(.final, "TLS failed (\(error))", fix: fix)
        }
        if let error = error as? BoringSSLError { return ofBoringSSL(error) }
        guard let error = error as? NIOSSLError else { return nil }
        switch error {
        case .handshakeFailed(let cause): return ofBoringSSL(cause)
        case .uncleanShutdown: return .closed
        default: return Self(.ended, "TLS failed (\(type(of: error)))", fix: fix)
        }
    }

    /// Returns the problem of a TLS handshake, or of an alert after it.
    private static func ofBoringSSL(_ error: BoringSSLError) -> Self {
        // BoringSSL's names of such errors are stable. An end of the connection has none of them.
        let description = "\(error)"
        if description.contains("NO_APPLICATION_PROTOCOL") { return .withoutHTTP2 }
        if description.contains("CERTIFICATE_REQUIRED") { return .withoutClientCertificate }
        let isFinal = ["CERT", "ALERT", "WRONG_VERSION", "UNSUPPORTED_PROTOCOL"].contains {
            description.contains($0)
        }
        guard isFinal else { return Self(.ended, "the TLS handshake failed") }
        return Self(
            .final, "TLS failed (\(name(in: description)))",
            fix: "Check its certificate, and the trusted ones.")
    }

    /// Returns BoringSSL's name of an error, such as `CERTIFICATE_VERIFY_FAILED`.
    private static func name(in description: String) -> String {
        let words = description.split { !($0.isUppercase || $0.isNumber || $0 == "_") }
        return words.max { $0.count < $1.count }.map(String.init) ?? "unknown"
    }

    private static func isRefusal(_ failure: SingleConnectionFailure) -> Bool {
        (failure.error as? IOError)?.errnoCode == ECONNREFUSED
    }
}
#endif
