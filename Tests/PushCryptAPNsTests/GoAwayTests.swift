#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("GOAWAY") struct GoAwayTests {
    @Test("GOAWAY in two phases costs nothing", arguments: [1, 2]) func twoPhases(connections: Int)
        async throws
    {
        let script: Script = {
            $0.attempt == 1 && $0.deviceToken.hasSuffix("5")
                ? .goAwayInTwoPhases : .accept(after: 0.01)
        }
        try await Fixture.run(connections: connections, script: script) { fixture in
            fixture.compare(await fixture.sendMany(200, concurrently: 50)).expectNoCost()
            #expect(fixture.server.record.connections > 2)
        }
    }

    /// The server waits until 20 requests are open, and processes half of them.
    @Test(
        "Requests above the last ID go to another connection, cost no attempt and can't arrive twice"
    )
    func laterHalf() async throws {
        let script: Script = { request in
            guard request.connection == 1, request.number > 1 else { return .accept() }
            return request.number == 21 ? .goAwayInTheMiddle : .hold
        }
        try await Fixture.run(script: script) { fixture in
            let first = await fixture.result(to: Fixture.device(number: 100))
            let results = await fixture.sendMany(20)
            fixture.compare([first] + results).expectNoCost()
            let record = fixture.server.record
            #expect(record.connections == 2)
            // Of 20 requests, those above the middle one are sent twice.
            #expect(record.requests >= 29 && record.requests <= 31)
        }
    }

    @Test("Requests above the last ID wait for no pause", .timeLimit(.minutes(20))) func noPause()
        async throws
    {
        try await Fixture.expectNoPause(after: .refuseWithGoAway)
    }

    @Test(
        "A push that GOAWAY excludes isn't processed",
        arguments: [
            [Step.write(.goAway(last: .request(plus: -2)))],
            [.write(.goAway(last: .connection)), .roundTrip, .end(.cut)],
            [.write(.goAway(last: .request(plus: -2))), .roundTrip, .end(.reset)],
            [
                .write(.goAway(last: .number(0x7FFF_FFFF))), .roundTrip,
                .write(.goAway(last: .request(plus: -2))),
                .roundTrip, .end(.farewell),
            ],
            [
                .write(.goAway(last: .request(plus: -2), code: 11, reason: "")), .roundTrip,
                .end(.farewell),
            ],
        ])
    func excluded(steps: [Step]) async throws {
        try await Fixture.run(script: Fixture.script(.steps(steps), attempts: 3)) { fixture in
            let result = await fixture.result(to: Fixture.device(number: 0))
            fixture.compare([result]).expectNoCost()
            #expect(fixture.server.record.connections == 4)
        }
    }

    @Test(
        "A push that GOAWAY includes may have arrived",
        arguments: Ending.allCases.filter { $0 != .silence },
        [true, false])
    func included(ending: Ending, isAccepted: Bool) async throws {
        let steps: [Step] =
            (isAccepted ? [.accept] : []) + [
                .write(.goAway(last: .request())), .roundTrip, .end(ending),
            ]
        try await Fixture.run(script: Fixture.script(.steps(steps))) { fixture in
            let result = await fixture.result(to: Fixture.device(number: 0))
            let comparison = fixture.compare([result])
            comparison.expectDelivery()
            #expect(comparison.receipts.allSatisfy { $0.mayArriveTwice && $0.attempts == 2 })
            #expect(fixture.server.record.accepted == (isAccepted ? 2 : 1))
        }
    }

    @Test(
        "GOAWAY and a cut at once lose nothing, and hide nothing",
        arguments: Ending.allCases.filter { $0 != .silence })
    func cutAtOnce(ending: Ending) async throws {
        let steps: [Step] = [.accept, .write(.goAway(last: .lastHandled())), .end(ending)]
        let script: Script = {
            $0.attempt == 1 && $0.deviceToken.hasSuffix("7") ? .steps(steps) : .accept(after: 0.01)
        }
        try await Fixture.run(connections: 2, script: script) { fixture in
            fixture.compare(await fixture.sendMany(100, concurrently: 30)).expectDelivery()
        }
    }

    @Test("GOAWAY on an idle connection costs nothing") func idle() async throws {
        try await Fixture.run { fixture in
            for round in 0..<5 {
                fixture.compare([await fixture.result(to: Fixture.device(number: round))])
                    .expectNoCost()
                fixture.server.leaveConnections()
                if round % 2 == 0 { try await fixture.wait { $0.openConnections == 0 } }
            }
        }
    }

    @Test("GOAWAY for ever ends the push, which wasn't processed") func forEver() async throws {
        try await Fixture.run(script: { _ in .refuseWithGoAway }) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(3))
            comparison.expectAgreement()
            #expect(comparison.failures.count == 3)
            #expect(comparison.failures.allSatisfy { !$0.mayBeAccepted && $0.advice == .retry })
            #expect(fixture.server.record.requests < 1000)
        }
    }
}
#endif
