#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Floods of frames") struct FloodTests {
    /// The client may end a connection that floods it; no flood may end the client, or hold up
    /// other pushes.
    @Test("A flood loses nothing, and hides nothing", arguments: Scenario.floods)
    func flood(flood: Scenario) async throws {
        let script = Fixture.script(.steps(flood.steps), for: 7, others: .accept(after: 0.005))
        try await Fixture.run(timeout: 10, script: script) { fixture in
            fixture.compare(await fixture.sendMany(40)).expectDelivery("\(flood)")
            #expect(fixture.server.record.connections < 10)
        }
    }

    @Test(
        "A flood on an idle connection loses nothing, and hides nothing", arguments: Scenario.floods
    )
    func idle(flood: Scenario) async throws {
        // The answer comes first.
        let steps: [Step] =
            [.accept, .write(.headers([":status": "200"], end: true)), .answered]
            + flood.steps.dropFirst()
        try await Fixture.run(timeout: 10, script: Fixture.script(.steps(steps))) { fixture in
            let first = await fixture.result(to: Fixture.device(number: 0))
            fixture.compare([first]).expectNoCost("\(flood)")
            fixture.compare((await fixture.sendMany(10)) + [first]).expectDelivery("\(flood)")
        }
    }

    @Test("PING every few milliseconds for the whole campaign costs nothing") func steadyPing()
        async throws
    {
        let pings: [Step] = (0..<100).flatMap { _ in [.write(.ping), .pause(0.003)] }
        var options = TestAPNsServer.Options()
        options.opening = [.write(.settings([.concurrentStreams: 5]))] + pings
        try await Fixture.run(options, script: { _ in .accept(after: 0.002) }) { fixture in
            fixture.compare(await fixture.sendMany(500)).expectNoCost()
            #expect(fixture.server.record.connections == 1)
            #expect(fixture.server.record.frames["PING ACK", default: 0] > 0)
        }
    }

    @Test("A flood for ever ends the push") func forEver() async throws {
        let steps: [Step] = [.flood(.ping, count: 20_000), .end(.cut)]
        try await Fixture.run(timeout: 10, script: { _ in .steps(steps) }) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(3))
            comparison.expectAgreement()
            #expect(comparison.failures.count == 3)
            #expect(comparison.failures.allSatisfy { $0.advice == .retry })
        }
    }
}
#endif
