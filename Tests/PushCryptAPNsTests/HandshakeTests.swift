#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Handshakes") struct HandshakeTests {
    /// Returns the error of a push to a server, after one TCP connection.
    private func finalFailure(
        _ options: TestAPNsServer.Options = .init(),
        trusting certificates: String? = Certificates.authority
    ) async throws -> APNsError? {
        let server = try await TestAPNsServer(options)
        let environment = try APNsEnvironment(
            host: "localhost", port: server.port, trusting: certificates)
        // With its pauses, a second attempt would last for hours.
        let client = try APNsClient(
            Fixture.credentials(), environment: environment, sealedOnly: false, connections: 2,
            timeout: 100,
            pause: 10_000)
        let error = await Fixture(server: server, client: client).failure()
        #expect(server.record.sockets == 1)
        #expect(server.record.requests == 0 && server.record.violations.isEmpty)
        await client.shutDown()
        try await server.stop()
        return error
    }

    @Test(
        "A certificate that isn't trusted is final at once, with the cause",
        .timeLimit(.minutes(20)))
    func otherAuthority() async throws {
        for authority in [nil, Certificates.client] {
            let error = try #require(await finalFailure(trusting: authority))
            #expect(error.code.rawValue == "no-connection" && error.advice == .checkCredentials)
            #expect(error.reason.contains("certificate"), "\(error)")
            #expect(!error.mayBeAccepted)
        }
    }

    @Test(
        "A server without HTTP/2 is final at once, with the cause", .timeLimit(.minutes(20)),
        arguments: [["http/1.1"], ["http/1.0", "http/1.1"], ["h3"], []])
    func noHTTP2(protocols: [String]) async throws {
        var options = TestAPNsServer.Options()
        options.protocols = protocols
        let error = try #require(await finalFailure(options))
        #expect(error.code.rawValue == "no-connection" && error.advice == .checkCredentials)
        #expect(error.reason.contains("HTTP/2"), "\(error)")
        #expect(!error.mayBeAccepted)
    }

    @Test(
        "All pushes that wait get the final error, without a connection for each",
        .timeLimit(.minutes(20)))
    func manyPushes() async throws {
        var options = TestAPNsServer.Options()
        options.protocols = ["http/1.1"]
        try await Fixture.run(options, connections: 2) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(300))
            #expect(comparison.failures.count == 300)
            #expect(
                comparison.failures.allSatisfy {
                    $0.advice == .checkCredentials && !$0.mayBeAccepted
                })
            #expect(fixture.server.record.sockets < 30)
        }
    }

    /// The server writes about 1,000 bytes until TLS is complete.
    @Test(
        "A cut after any byte of TLS costs nothing",
        arguments: LongRun.cases(Array(stride(from: 0, to: 1000, by: 9)), usually: 12),
        [Ending.cut, .reset])
    func cut(count: Int, ending: Ending) async throws {
        for direction in [Interruption.Direction.written, .read] {
            var options = TestAPNsServer.Options()
            var interruption = Interruption(
                after: direction == .read ? count / 3 : count, direction, ending)
            interruption.isBelowTLS = true
            options.interruption = interruption
            try await Fixture.run(options) { fixture in
                let comparison = fixture.compare(await fixture.sendMany(3))
                comparison.expectDelivery("\(direction) \(count)")
                #expect(comparison.receipts.allSatisfy { !$0.mayArriveTwice })
                #expect(fixture.server.record.repeated.isEmpty)
            }
        }
    }

    @Test("Silence during the handshake is noticed", .timeLimit(.minutes(20))) func silence()
        async throws
    {
        try await atTheSameTime([0, 1, 100, 600]) { count in
            var options = TestAPNsServer.Options()
            var interruption = Interruption(after: count, .written, .silence)
            interruption.isBelowTLS = true
            options.interruption = interruption
            try await Fixture.run(options, timeout: 600) { fixture in
                let start = Date()
                let comparison = fixture.compare(await fixture.sendMany(3))
                #expect(Date().timeIntervalSince(start) < 60)
                comparison.expectDelivery("\(count) bytes")
                #expect(comparison.receipts.allSatisfy { !$0.mayArriveTwice })
            }
        }
    }

    @Test("A server that always cuts the handshake ends the push, which wasn't sent")
    func alwaysCut() async throws {
        var options = TestAPNsServer.Options()
        var interruption = Interruption(after: 50, .written, .cut)
        interruption.isBelowTLS = true
        interruption.connections = .max
        options.interruption = interruption
        try await Fixture.run(options, timeout: 5) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(3))
            #expect(comparison.failures.count == 3)
            #expect(
                comparison.failures.allSatisfy {
                    $0.code.rawValue == "no-connection" && !$0.mayBeAccepted
                })
            #expect(fixture.server.record.requests == 0 && fixture.server.record.sockets < 100)
        }
    }
}
#endif
