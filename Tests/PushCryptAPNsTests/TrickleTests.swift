#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Answers in pieces") struct TrickleTests {
    @Test(
        "Everything that trickles byte by byte is understood", arguments: [1, 2, 3, 7, 9, 10, 64])
    func bytes(size: Int) async throws {
        var options = TestAPNsServer.Options()
        options.pieces = size
        let script: Script = { request in
            request.deviceToken.hasSuffix("3")
                ? .answer(410, "Unregistered", timestamp: 1_700_000_000_000) : .accept()
        }
        try await Fixture.run(options, script: script) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(48))
            comparison.expectAgreement()
            #expect(comparison.receipts.count == 45 && comparison.failures.count == 3)
            #expect(comparison.receipts.allSatisfy { $0.attempts == 1 && $0.uniqueID != nil })
            #expect(
                comparison.failures.allSatisfy {
                    $0.apnsReason == .unregistered && $0.timestamp != nil
                })
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test("Odd settings that trickle are understood", arguments: Scenario.openings)
    func openings(opening: Scenario) async throws {
        var options = TestAPNsServer.Options()
        options.pieces = 1
        options.opening = opening.steps
        try await Fixture.run(options) { fixture in
            fixture.compare(await fixture.sendMany(10)).expectNoCost("\(opening)")
        }
    }

    @Test("GOAWAY that trickles costs nothing") func goAway() async throws {
        var options = TestAPNsServer.Options()
        options.pieces = 1
        let script: Script = {
            $0.attempt == 1 && $0.deviceToken.hasSuffix("5") ? .goAwayInTwoPhases : .accept()
        }
        try await Fixture.run(options, connections: 2, script: script) { fixture in
            fixture.compare(await fixture.sendMany(60, concurrently: 20)).expectNoCost()
        }
    }

    @Test("A body without end is cut, whatever it has", arguments: [200, 400, 503])
    func endlessBody(status: Int)
        async throws
    {
        let body = RawFrame.data(String(repeating: "x", count: 10_000), end: false)
        let head = RawFrame.headers([":status": "\(status)"], end: false)
        let accept: [Step] = status == 200 ? [.accept] : []
        // As many bytes as the smallest window lets through, and no end.
        let steps = accept + [.write([head] + Array(repeating: body, count: 6)), .answered]
        try await Fixture.run(timeout: 2, script: Fixture.script(.steps(steps))) { fixture in
            let result = await fixture.result(to: Fixture.device(number: 0))
            let comparison = fixture.compare([result])
            comparison.expectAgreement()
            #expect(comparison.failures.map(\.status) == (status == 400 ? [400] : []))
            #expect(fixture.server.record.accepted == (status == 400 ? 0 : 1))
        }
    }
}
#endif
