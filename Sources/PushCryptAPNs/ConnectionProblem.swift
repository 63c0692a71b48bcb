#if APNs
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import PushCryptFoundation

/// The reason why a request got no answer, without content and tokens.
struct ConnectionProblem {
    /// The cause, as a part of a sentence.
    let cause: String
    let fix: String

    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            cause = "no address was found for its name"
            fix = "Check the network, and the name."
        case let error as NIOConnectionError where error.connectionErrors.contains(where: Self.isRefusal):
            cause = "it refused the connection"
            fix = "Check the port, and the firewall."
        case is NIOConnectionError:
            cause = "it can't be reached"
            fix = "Check the network."
        case is NIOSSLError:
            cause = "TLS failed (\(type(of: error)))"
            fix = "Check its certificate, and the trusted ones."
        default:
            cause = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            fix = "Check the network."
        }
    }

    private static func isRefusal(_ failure: SingleConnectionFailure) -> Bool {
        (failure.error as? IOError)?.errnoCode == ECONNREFUSED
    }
}
#endif
