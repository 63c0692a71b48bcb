#if APNs
import NIOCore
import NIOHTTP2
import NIOSSL
import Testing

@testable import PushCryptAPNs

@Suite("Problems of connections") struct ConnectionProblemTests {
    @Test("A certificate that isn't trusted is final, and an end during TLS isn't") func tls() {
        let hostname = ConnectionProblem(NIOSSLExtraError.failedToValidateHostname)
        #expect(hostname.kind == .final && hostname.fix.contains("certificate"))
        #expect(ConnectionProblem(NIOSSLError.uncleanShutdown).kind == .ended)
    }

    @Test("Each problem has its cause in words") func words() {
        let problems: [ConnectionProblem] = [
            ConnectionProblem(ChannelError.connectTimeout(.seconds(1))),
            ConnectionProblem(ChannelError.eof),
            ConnectionProblem(NIOHTTP2Errors.unableToParseFrame()),
            ConnectionProblem(reset: .internalError),
            .closed, .silent, .late, .withoutSettings, .withoutStreams, .goAway, .shutDown,
            .oddFields, .slow, .withoutHTTP2, .withoutClientCertificate,
        ]
        for problem in problems {
            #expect(problem.cause.contains(" ") && problem.fix.hasSuffix("."), "\(problem)")
        }
        #expect(problems.first?.kind == .unreachable)
    }

    @Test("Errors of an outage are told from those of a connection that ended") func kinds() {
        #expect(ConnectionProblem.slow.kind == .unreachable)
        #expect(ConnectionProblem.withoutHTTP2.kind == .final)
        #expect(ConnectionProblem.withoutSettings.kind == .ended)
    }
}
#endif
