#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Cut connections") struct CutTests {
    private static let endings: [Ending] = [.farewell, .cut, .reset]

    /// The server writes about 40 bytes until its settings are complete, and about 100 for an
    /// answer.
    @Test(
        "A cut after any byte of the server loses nothing, and hides nothing",
        arguments: LongRun.cases(Array(0..<400), usually: 40))
    func written(count: Int) async throws {
        var options = TestAPNsServer.Options()
        options.interruption = Interruption(
            after: count, .written, Self.endings[count % Self.endings.count])
        try await Fixture.run(options) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(10))
            comparison.expectDelivery("\(count) bytes")
            // The header of settings and their value for streams.
            if count < 15 {
                #expect(comparison.receipts.allSatisfy { !$0.mayArriveTwice && $0.attempts == 1 })
            }
        }
    }

    /// The client writes its preface and settings, and about 400 bytes for the first request.
    @Test(
        "A cut after any byte of the client loses nothing, and hides nothing",
        arguments: LongRun.cases(Array(0..<1200), usually: 40))
    func read(count: Int) async throws {
        var options = TestAPNsServer.Options()
        options.interruption = Interruption(
            after: count, .read, Self.endings[count % Self.endings.count])
        try await Fixture.run(options) { fixture in
            fixture.compare(await fixture.sendMany(10)).expectDelivery("\(count) bytes")
        }
    }

    @Test(
        "Connections that are cut again and again lose nothing, and hide nothing",
        arguments: endings)
    func often(ending: Ending) async throws {
        let script: Script = { request in
            request.number.isMultiple(of: 20)
                ? .steps([.accept, .end(ending)]) : .accept(after: 0.002)
        }
        try await Fixture.run(connections: 2, script: script) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(300, concurrently: 10))
            comparison.expectAgreement()
            #expect(comparison.failures.allSatisfy { $0.advice == .retry })
            #expect(comparison.receipts.count > 200)
        }
    }

    @Test("A push whose request was complete may have arrived", arguments: endings, [true, false])
    func complete(ending: Ending, isAccepted: Bool) async throws {
        let steps: [Step] = (isAccepted ? [.accept] : []) + [.end(ending)]
        try await Fixture.run(script: Fixture.script(.steps(steps))) { fixture in
            let comparison = fixture.compare([await fixture.result(to: Fixture.device(number: 0))])
            comparison.expectDelivery()
            #expect(comparison.receipts.allSatisfy { $0.mayArriveTwice && $0.attempts == 2 })
        }
    }

    /// Three requests are on streams when the connection ends, and the others wait for a free one.
    @Test("Requests that wait for a free stream cost nothing at a cut", arguments: endings)
    func waiting(ending: Ending) async throws {
        var options = TestAPNsServer.Options()
        options.opening = [.write(.settings([.concurrentStreams: 3]))]
        let script: Script = { request in
            guard request.connection == 1, request.number > 1 else { return .accept() }
            return request.number == 4
                ? .steps([.roundTrip, .end(ending)]) : .stall(accepted: false)
        }
        try await Fixture.run(options, script: script) { fixture in
            let first = await fixture.result(to: Fixture.device(number: 100))
            let comparison = fixture.compare([first] + (await fixture.sendMany(30)))
            comparison.expectDelivery()
            #expect(comparison.receipts.count { $0.mayArriveTwice } == 3)
            #expect(comparison.receipts.count { $0.attempts == 2 } == 3)
            #expect(fixture.server.record.requests == 34)
        }
    }

    @Test("A status counts, even if its answer isn't complete", arguments: Scenario.cutAnswers)
    func afterStatus(answer: Scenario) async throws {
        try await Fixture.run(script: Fixture.script(.steps(answer.steps))) { fixture in
            let comparison = fixture.compare([await fixture.result(to: Fixture.device(number: 0))])
            comparison.expectNoCost("\(answer)")
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test(
        "A refusal counts, even if its body is cut", arguments: endings, ["", #"{"reason":"BadTo"#])
    func refusalWithCutBody(ending: Ending, body: String) async throws {
        let steps: [Step] = [
            .write([.headers([":status": "400"], end: false), .data(body, end: false)]), .roundTrip,
            .end(ending),
        ]
        try await Fixture.run(script: Fixture.script(.steps(steps))) { fixture in
            let error = try #require(await fixture.failure(to: Fixture.device(number: 0)))
            #expect(
                error.status == 400 && error.code.rawValue == "status-400"
                    && error.advice == .fixRequest)
            #expect(!error.mayBeAccepted)
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test("Cuts of idle connections cost nothing", arguments: endings) func idle(ending: Ending)
        async throws
    {
        try await Fixture.run { fixture in
            for number in 0..<5 {
                let comparison = fixture.compare([
                    await fixture.result(to: Fixture.device(number: number))
                ])
                comparison.expectDelivery()
                fixture.server.endConnections(ending)
                try await fixture.wait { $0.openConnections == 0 }
            }
        }
    }

    @Test("A server that restarts loses nothing, and hides nothing") func restart() async throws {
        let first = try await TestAPNsServer(script: { _ in .accept(after: 0.002) })
        let client = try Fixture.client(of: first, 2)
        let fixture = Fixture(server: first, client: client)
        async let results = fixture.sendMany(300, concurrently: 20)
        try await fixture.wait { $0.accepted >= 100 }
        try await first.stop()
        var options = TestAPNsServer.Options()
        options.port = first.port
        let second = try await TestAPNsServer(options)
        // Both servers have accepted a part of the pushes.
        for result in await results {
            switch result {
            case .success(let receipt):
                let (before, after) = (
                    first.record.tallies[receipt.id], second.record.tallies[receipt.id]
                )
                let count = (before?.accepted ?? 0) + (after?.accepted ?? 0)
                #expect(count == 1 || count > 1 && receipt.mayArriveTwice)
            case .failure(let error): #expect(error.advice == .retry)
            }
        }
        await client.shutDown()
        try await second.stop()
    }
}
#endif
