#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Settings of the server") struct SettingsTests {
    @Test("Settings that HTTP/2 allows cost nothing", arguments: Scenario.openings, [1, 2])
    func openings(opening: Scenario, connections: Int) async throws {
        var options = TestAPNsServer.Options()
        options.opening = opening.steps
        try await Fixture.run(options, connections: connections) { fixture in
            fixture.compare(await fixture.sendMany(60)).expectNoCost("\(opening)")
            #expect(fixture.server.record.connections <= connections)
            #expect(fixture.server.record.frames["SETTINGS ACK", default: 0] >= 1)
        }
    }

    @Test(
        "A connection that ends before its settings has processed nothing",
        arguments: Scenario.brokenOpenings)
    func brokenFirst(opening: Scenario) async throws {
        var options = TestAPNsServer.Options()
        options.opening = opening.steps
        options.openedConnections = 1
        try await Fixture.run(options) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(10))
            comparison.expectDelivery("\(opening)")
            #expect(fixture.server.record.repeated.isEmpty)
            #expect(comparison.receipts.allSatisfy { !$0.mayArriveTwice })
        }
    }

    @Test(
        "A server whose settings are never valid gets no push", arguments: Scenario.brokenOpenings)
    func alwaysBroken(opening: Scenario) async throws {
        var options = TestAPNsServer.Options()
        options.opening = opening.steps
        try await Fixture.run(options, timeout: 5) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(10))
            comparison.expectAgreement("\(opening)")
            #expect(comparison.failures.count == 10)
            #expect(
                comparison.failures.allSatisfy {
                    !$0.mayBeAccepted && $0.code.rawValue == "no-connection"
                })
            // The client doesn't connect for ever.
            #expect(fixture.server.record.sockets < 100)
        }
    }

    @Test("New settings between pushes change nothing") func betweenPushes() async throws {
        let late: Script = { request in
            let settings = RawFrame.settings([.concurrentStreams: UInt32(1 + request.number % 5)])
            return .steps([
                .accept, .write([settings, .headers([":status": "200"], end: true), .settings()]),
                .answered,
            ])
        }
        var options = TestAPNsServer.Options()
        options.opening = [.write(.settings([.concurrentStreams: 3]))]
        try await Fixture.run(options, script: late) { fixture in
            fixture.compare(await fixture.sendMany(200)).expectNoCost()
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test("Settings while the connection is idle are acknowledged at once") func whileIdle()
        async throws
    {
        let steps: [Step] = [
            .accept, .write(.headers([":status": "200"], end: true)), .answered, .roundTrip,
            .write(.settings()),
            .write(.settings([.concurrentStreams: 5])),
        ]
        try await Fixture.run(script: Fixture.script(.steps(steps))) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectNoCost()
            try await fixture.wait { $0.frames["SETTINGS ACK", default: 0] == 3 }
            fixture.compare(await fixture.sendMany(20)).expectAgreement()
            #expect(fixture.server.record.connections == 1)
        }
    }
}
#endif
