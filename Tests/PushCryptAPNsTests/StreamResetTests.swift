#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Resets of streams") struct StreamResetTests {
    @Test("REFUSED_STREAM costs no attempt, and the push can't arrive twice", arguments: [1, 3])
    func refused(attempts: Int) async throws {
        try await Fixture.run(script: Fixture.script(.refuse, attempts: attempts)) { fixture in
            let result = await fixture.result(to: Fixture.device(number: 0))
            fixture.compare([result]).expectNoCost()
            #expect(fixture.server.record.requests == attempts + 1)
        }
    }

    @Test("REFUSED_STREAM waits for no pause", .timeLimit(.minutes(20))) func noPause() async throws
    {
        try await Fixture.expectNoPause(after: .refuse)
    }

    @Test("A tenth of the streams refused, or 500 at once", arguments: [true, false]) func many(
        atOnce: Bool
    )
        async throws
    {
        let script: Script = { request in
            guard request.attempt == 1, request.number > 1 else { return .accept() }
            return atOnce || request.deviceToken.hasSuffix("3") ? .refuse : .accept(after: 0.01)
        }
        try await Fixture.run(connections: 2, script: script) { fixture in
            let first = await fixture.result(to: Fixture.device(number: 1000))
            let comparison = fixture.compare([first] + (await fixture.sendMany(500)))
            comparison.expectDelivery()
            #expect(fixture.server.record.repeated.isEmpty)
            #expect(comparison.receipts.allSatisfy { !$0.mayArriveTwice && $0.attempts == 1 })
        }
    }

    @Test("REFUSED_STREAM for ever ends the push, which wasn't processed") func forEver()
        async throws
    {
        try await Fixture.run(script: { _ in .refuse }) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(3))
            comparison.expectAgreement()
            #expect(comparison.failures.count == 3)
            #expect(comparison.failures.allSatisfy { !$0.mayBeAccepted && $0.advice == .retry })
            #expect(fixture.server.record.requests < 1000)
        }
    }

    @Test(
        "Other codes say nothing about the push, which is sent again",
        arguments: [UInt32(0), 1, 2, 3, 5, 6, 8, 10, 11, 12, 13, 14, 0xFFFF_FFFF], [true, false])
    func otherCodes(code: UInt32, isAccepted: Bool) async throws {
        let steps: [Step] = (isAccepted ? [.accept] : []) + [.write(.reset(code))]
        try await Fixture.run(script: Fixture.script(.steps(steps))) { fixture in
            let comparison = fixture.compare([await fixture.result(to: Fixture.device(number: 0))])
            comparison.expectDelivery()
            #expect(comparison.receipts.allSatisfy { $0.mayArriveTwice && $0.attempts == 2 })
            #expect(fixture.server.record.accepted == (isAccepted ? 2 : 1))
        }
    }

    /// The first attempt has no answer, so that the refusals of the next ones can't say that
    /// nothing was accepted.
    @Test(
        "What an attempt without an answer leaves open stays open",
        arguments: [
            Behavior.refuse, .refuseWithGoAway, .answer(503, "ServiceUnavailable"),
            .answer(500, "InternalServerError"),
        ])
    func uncertainty(next: Behavior) async throws {
        let script: Script = { $0.attempt == 1 ? .reset(accepted: true) : next }
        try await Fixture.run(script: script) { fixture in
            let comparison = fixture.compare([await fixture.result()])
            comparison.expectAgreement()
            #expect(comparison.failures.count == 1)
            #expect(comparison.failures.allSatisfy { $0.mayBeAccepted && $0.advice == .retry })
        }
    }

    @Test(
        "A refusal for good after an attempt without an answer doesn't hide that the push may have been accepted"
    )
    func refusedAfterwards() async throws {
        let script: Script = { $0.attempt == 1 ? .reset(accepted: true) : .answer(400, "BadTopic") }
        try await Fixture.run(script: script) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.mayBeAccepted)
            #expect(error.status == 400)
        }
    }
}
#endif
