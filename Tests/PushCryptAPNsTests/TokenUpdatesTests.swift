#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Too many provider tokens") struct TokenUpdatesTests {
    private static let refusal = Behavior.answer(429, "TooManyProviderTokenUpdates")

    @Test("The answer is final for its push") func final() async throws {
        try await Fixture.run(script: { _ in Self.refusal }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(
                error.apnsReason == .tooManyProviderTokenUpdates
                    && error.advice == .checkCredentials)
            #expect(!error.mayBeAccepted)
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test("The answer ends the pushes that wait, too", arguments: [1, 2]) func waiting(
        connections: Int
    ) async throws {
        var options = TestAPNsServer.Options()
        options.concurrentStreams = 1
        try await Fixture.run(options, connections: connections, script: { _ in Self.refusal }) {
            fixture in
            let comparison = fixture.compare(await fixture.sendMany(500))
            comparison.expectAgreement()
            #expect(comparison.failures.count == 500)
            #expect(
                comparison.failures.allSatisfy { $0.apnsReason == .tooManyProviderTokenUpdates })
            #expect(fixture.server.record.requests < 20)
        }
    }

    @Test("In the middle of a campaign, only requests that were under way get there") func middle()
        async throws
    {
        var options = TestAPNsServer.Options()
        options.concurrentStreams = 10
        let script: Script = { $0.number > 50 ? Self.refusal : .accept() }
        try await Fixture.run(options, script: script) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(500))
            comparison.expectAgreement()
            #expect(comparison.receipts.count == 50 && comparison.failures.count == 450)
            #expect(fixture.server.record.requests < 100)
        }
    }

    @Test("A server that sees too many tokens of two clients refuses the second one's")
    func twoClients() async throws {
        try await Fixture.run { fixture in
            fixture.compare([await fixture.result()]).expectNoCost()
            // Another object for the same team has another token, unless both were signed in the
            // same second.
            try await Task.sleep(nanoseconds: 1_100_000_000)
            let other = try Fixture.client(of: fixture.server)
            let second = Fixture(server: fixture.server, client: other)
            let comparison = second.compare(await second.sendMany(100))
            #expect(comparison.failures.count == 100)
            #expect(fixture.server.record.accepted == 1)
            #expect(fixture.server.record.requests < 20)
            await other.shutDown()
        }
    }
}
#endif
