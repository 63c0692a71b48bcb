#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

/// The time limit of an attempt is 10 minutes here, so that only PING can notice the silence in
/// time.
@Suite("Silent connections", .timeLimit(.minutes(20))) struct SilenceTests {
    private static let patience: Double = 600

    private static func expectSeconds(
        _ start: Date, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Generous for busy machines, and a tenth of an attempt.
        #expect(Date().timeIntervalSince(start) < patience / 10, sourceLocation: sourceLocation)
    }

    @Test("Silence is noticed while a request is open") func whileOpen() async throws {
        try await atTheSameTime([true, false]) { isAccepted in
            let steps: [Step] = (isAccepted ? [.accept] : []) + [.end(.silence)]
            try await Fixture.run(timeout: Self.patience, script: Fixture.script(.steps(steps))) {
                fixture in
                let start = Date()
                let comparison = fixture.compare([
                    await fixture.result(to: Fixture.device(number: 0))
                ])
                Self.expectSeconds(start)
                comparison.expectDelivery()
                #expect(comparison.receipts.allSatisfy { $0.mayArriveTwice && $0.attempts == 2 })
                #expect(fixture.server.record.connections == 2)
            }
        }
    }

    /// The server goes on to read, so that only its answers to PING are missing.
    @Test("A server that reads and never writes is silent, too") func mute() async throws {
        try await Fixture.run(
            timeout: Self.patience, script: Fixture.script(.steps([.accept, .mute]))
        ) { fixture in
            let start = Date()
            let comparison = fixture.compare([await fixture.result(to: Fixture.device(number: 0))])
            Self.expectSeconds(start)
            comparison.expectDelivery()
            #expect(comparison.receipts.allSatisfy { $0.mayArriveTwice })
            #expect(fixture.server.record.frames["PING", default: 0] >= 1)
        }
    }

    @Test("Silence after a status doesn't hold up its push") func afterStatus() async throws {
        let steps: [Step] = [
            .accept, .write(.headers([":status": "200"], end: false)), .answered, .end(.silence),
        ]
        try await Fixture.run(timeout: Self.patience, script: Fixture.script(.steps(steps))) {
            fixture in
            let start = Date()
            fixture.compare([await fixture.result(to: Fixture.device(number: 0))]).expectNoCost()
            Self.expectSeconds(start)
        }
    }

    @Test("Silence of all connections is noticed") func all() async throws {
        try await Fixture.run(connections: 2, timeout: Self.patience) { fixture in
            fixture.compare(await fixture.sendMany(50)).expectNoCost()
            fixture.server.endConnections(.silence)
            let start = Date()
            fixture.compare(await fixture.sendMany(50)).expectDelivery()
            Self.expectSeconds(start)
        }
    }

    @Test("A silent connection doesn't hold up the pushes of the other one") func oneOfTwo()
        async throws
    {
        let script: Script = {
            $0.connection == 1 && $0.number == 10 ? .steps([.end(.silence)]) : .accept(after: 0.005)
        }
        try await Fixture.run(connections: 2, timeout: Self.patience, script: script) { fixture in
            let start = Date()
            fixture.compare(await fixture.sendMany(200, concurrently: 50)).expectDelivery()
            Self.expectSeconds(start)
        }
    }

    @Test("Silence of an idle connection is noticed when it is used again") func idle() async throws
    {
        try await Fixture.run(timeout: Self.patience) { fixture in
            fixture.compare([await fixture.result(to: Fixture.device(number: 1))]).expectNoCost()
            fixture.server.endConnections(.silence)
            try await Task.sleep(nanoseconds: 200_000_000)
            let start = Date()
            fixture.compare([await fixture.result(to: Fixture.device(number: 2))]).expectDelivery()
            Self.expectSeconds(start)
        }
    }

    @Test("Silence before the settings is noticed, and costs no attempt") func beforeSettings()
        async throws
    {
        var options = TestAPNsServer.Options()
        options.opening = [.end(.silence)]
        options.openedConnections = 1
        try await Fixture.run(options, timeout: Self.patience) { fixture in
            let start = Date()
            fixture.compare(await fixture.sendMany(10)).expectNoCost()
            Self.expectSeconds(start)
        }
    }

    @Test("Silence after any byte of the server is noticed") func afterBytes() async throws {
        try await atTheSameTime([0, 1, 9, 15, 21, 30, 39, 48, 60, 100, 150, 200]) { count in
            var options = TestAPNsServer.Options()
            options.interruption = Interruption(after: count, .written, .silence)
            try await Fixture.run(options, timeout: Self.patience) { fixture in
                let start = Date()
                fixture.compare(await fixture.sendMany(5)).expectDelivery("\(count) bytes")
                Self.expectSeconds(start)
            }
        }
    }

    @Test("A request that stalls alone waits for its time, because PING is answered") func stalled()
        async throws
    {
        let script = Fixture.script(.stall(accepted: true))
        try await Fixture.run(timeout: 8, script: script) { fixture in
            let comparison = fixture.compare(await fixture.sendMany(5))
            comparison.expectDelivery()
            #expect(fixture.server.record.tallies.count == 5)
        }
    }

    @Test("A silent connection doesn't hold up the end of the client") func shutDown() async throws
    {
        try await Fixture.run(timeout: Self.patience) { fixture in
            _ = await fixture.result()
            fixture.server.endConnections(.silence)
            let start = Date()
            await fixture.client.shutDown()
            Self.expectSeconds(start)
        }
    }
}
#endif
