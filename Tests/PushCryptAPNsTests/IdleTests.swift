#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

/// Each pause between two pushes is long enough for a PING here.
@Suite("PING before an idle connection is used again", .timeLimit(.minutes(20))) struct IdleTests {
    /// The first connection is silent after its first answer.
    private static let silence: Script = {
        let steps: [Step] = [
            .accept, .write(.headers([":status": "200"], end: true)), .answered, .end(.silence),
        ]
        return $0.connection == 1 && $0.number == 1 ? .steps(steps) : .accept()
    }

    /// Runs a test with that server.
    ///
    /// The client has a certificate. While it signs a provider token, its first connection would
    /// count as idle, too.
    private static func runSilent(connections: Int, _ body: (Fixture) async throws -> Void)
        async throws
    {
        let certificate = try APNsAuthentication.certificate(
            Certificates.client, privateKey: Certificates.clientKey)
        try await Fixture.run(
            connections: connections, timeout: 600, idle: 0, authentication: certificate,
            script: silence, body)
    }

    private static func pings(_ fixture: Fixture) -> Int {
        fixture.server.record.frames["PING", default: 0]
    }

    @Test("A connection that answers is used again") func answered() async throws {
        try await Fixture.run(idle: 0) { fixture in
            for number in 0..<10 {
                fixture.compare([await fixture.result(to: Fixture.device(number: number))])
                    .expectNoCost()
                #expect(Self.pings(fixture) >= number)
            }
            #expect(fixture.server.record.requestsOfConnection == [10])
        }
    }

    @Test("A connection that was used within the period gets no PING") func busy() async throws {
        try await Fixture.run(idle: 1e6) { fixture in
            for number in 0..<10 { _ = await fixture.result(to: Fixture.device(number: number)) }
            #expect(Self.pings(fixture) == 0)
            #expect(fixture.server.record.requestsOfConnection == [10])
        }
    }

    /// With one connection, the push waits until the silence has lasted for 10 ticks.
    @Test(
        "A push on a silent connection goes over a new one, and costs no attempt",
        arguments: [1, 2])
    func silent(connections: Int) async throws {
        try await Self.runSilent(connections: connections) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectNoCost()
            let comparison = fixture.compare([await fixture.result(to: Fixture.device(number: 1))])
            comparison.expectNoCost()
            #expect(comparison.receipts.count == 1)
            #expect(fixture.server.record.requestsOfConnection == [1, 1])
        }
    }

    @Test("Pushes that come while a PING has no answer share the new connection") func many()
        async throws
    {
        try await Self.runSilent(connections: 2) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectNoCost()
            fixture.compare(await fixture.sendMany(100)).expectNoCost()
            // A third connection opens if the silent one has ended before all pushes are sent.
            let requests = fixture.server.record.requestsOfConnection
            #expect(requests.first == 1)
            #expect(requests.reduce(0, +) == 101)
        }
    }
}
#endif
