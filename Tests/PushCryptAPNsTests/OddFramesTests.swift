#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Odd frames") struct OddFramesTests {
    @Test("Answers that HTTP/2 allows are understood", arguments: Scenario.oddAnswers)
    func answers(answer: Scenario) async throws {
        let script = Fixture.script(.steps(answer.steps), for: 3, others: .accept(after: 0.005))
        try await Fixture.run(script: script) { fixture in
            fixture.compare(await fixture.sendMany(10)).expectNoCost("\(answer)")
        }
    }

    @Test(
        "An answer that HTTP/2 allows can be the first one of a connection",
        arguments: Scenario.oddAnswers)
    func firstAnswer(answer: Scenario) async throws {
        try await Fixture.run(script: Fixture.script(.steps(answer.steps))) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectNoCost(
                "\(answer)")
        }
    }

    /// After some faults the client knows that the push wasn't processed, so the number of attempts
    /// isn't checked.
    @Test(
        "Frames that HTTP/2 forbids lose nothing, and hide nothing",
        arguments: Scenario.brokenFrames)
    func broken(frames: Scenario) async throws {
        let script = Fixture.script(.steps(frames.steps), for: 5, others: .accept(after: 0.02))
        try await Fixture.run(timeout: 10, script: script) { fixture in
            fixture.compare(await fixture.sendMany(20)).expectDelivery("\(frames)")
            #expect(fixture.server.record.connections < 10)
        }
    }

    @Test(
        "Frames that HTTP/2 forbids hide no push that was accepted",
        arguments: Scenario.brokenFrames)
    func brokenAfterAcceptance(frames: Scenario) async throws {
        let script = Fixture.script(.steps([.accept] + frames.steps))
        try await Fixture.run(timeout: 10, script: script) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectDelivery(
                "\(frames)")
        }
    }

    @Test(
        "Something forbidden after an answer doesn't change the answer",
        arguments: Scenario.brokenAfterAnswers)
    func afterAnswer(answer: Scenario) async throws {
        let script = Fixture.script(.steps(answer.steps), for: 5, others: .accept(after: 0.02))
        try await Fixture.run(timeout: 10, script: script) { fixture in
            let results = await fixture.sendMany(20)
            fixture.compare(results).expectDelivery("\(answer)")
            fixture.compare([results[5]]).expectAgreement()
            if case .success(let receipt) = results[5] {
                #expect(receipt.attempts == 1 && !receipt.mayArriveTwice)
            }
        }
    }

    @Test("All odd and broken frames together lose nothing, and hide nothing") func together()
        async throws
    {
        let count = LongRun.count(1000, full: 10_000)
        let script = Faults.script(streams: 0, connections: 0, frames: 0.02)
        try await Fixture.run(connections: 4, timeout: 10, script: script) { fixture in
            let comparison = fixture.compare(await fixture.sendInAnyOrder(count, workers: 100))
            comparison.expectAgreement()
            #expect(comparison.failures.allSatisfy { $0.advice == .retry })
            #expect(comparison.failures.count < count / 4)
            print(
                "\(comparison.failures.count) reported, \(fixture.server.record.connections) connections"
            )
        }
    }

    @Test("A server that forever sends garbage ends the push") func forEver() async throws {
        let garbage: [Step] = [
            .bytes(Array(repeating: 0xA5, count: 500)), .pause(0.05), .end(.cut),
        ]
        try await Fixture.run(timeout: 10, script: { _ in .steps(garbage) }) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(3))
            comparison.expectAgreement()
            #expect(comparison.failures.count == 3)
            #expect(comparison.failures.allSatisfy { $0.advice == .retry && $0.mayBeAccepted })
        }
    }
}
#endif
