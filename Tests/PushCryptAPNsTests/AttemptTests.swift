#if APNs
import Foundation
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Attempts") struct AttemptTests {
    @Test(
        "A push is sent again after an answer of which APNs recovers",
        arguments: [
            Behavior.answer(500, "InternalServerError"), .answer(503, "ServiceUnavailable"),
            .answer(429, "TooManyRequests"), .answer(400, "IdleTimeout"),
            .reset(accepted: false), .goAway(accepted: false), .close(accepted: false),
            .answer(503, "Shutdown", inPieces: true),
        ]) func recovers(fault: Behavior) async throws
    {
        try await Fixture.run(script: { $0.attempt <= 2 ? fault : .accept() }) { fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(receipt.attempts == 3)
            #expect(fixture.server.record.tallies[receipt.id]?.requests == 3)
            #expect(fixture.server.record.accepted == 1)
        }
    }

    @Test(
        "A push that surely wasn't processed costs no attempt",
        arguments: [Behavior.refuse, .refuseWithGoAway])
    func unprocessed(fault: Behavior) async throws {
        try await Fixture.run(script: { $0.attempt <= 3 ? fault : .accept() }) { fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(receipt.attempts == 1 && !receipt.mayArriveTwice)
            #expect(fixture.server.record.tallies[receipt.id]?.requests == 4)
            #expect(fixture.server.record.accepted == 1)
        }
    }

    @Test(
        "A push that is never processed ends, and is reported as not accepted",
        arguments: [
            Behavior.refuse, .refuseWithGoAway,
        ]) func neverProcessed(fault: Behavior) async throws
    {
        try await Fixture.run(script: { _ in fault }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.code == .noConnection && error.advice == .retry && !error.mayBeAccepted)
            #expect(fixture.server.record.accepted == 0)
        }
    }

    @Test("The pause doubles, and Retry-After replaces it") func pauses() async throws {
        let script: Script = {
            switch $0.attempt {
            case 1: .answer(503, "ServiceUnavailable", headers: ["retry-after": "1"])
            case 2: .answer(503, "ServiceUnavailable", headers: ["retry-after": "0"])
            default: .accept()
            }
        }
        try await Fixture.run(script: script) { fixture in
            let start = Date()
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(receipt.attempts == 3)
            #expect(Date().timeIntervalSince(start) >= 1)
        }
    }

    @Test("A longer Retry-After is the caller's") func longRetryAfter() async throws {
        let answer = Behavior.answer(503, "ServiceUnavailable", headers: ["retry-after": "31"])
        try await Fixture.run(script: { _ in answer }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(error.retryAfter == 31 && error.advice == .retry)
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test(
        "A Retry-After that isn't seconds is left out",
        arguments: ["-1", "soon", "99999999999999999999", "1.5"])
    func oddRetryAfter(text: String) async throws {
        let answer = Behavior.answer(503, "ServiceUnavailable", headers: ["retry-after": text])
        try await Fixture.run(script: { $0.attempt == 1 ? answer : .accept() }) { fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(receipt.attempts == 2)
        }
    }

    @Test("A push without any answer ends with an error that says that it may have been accepted")
    func noAnswer()
        async throws
    {
        try await Fixture.run(script: { _ in .close(accepted: true) }) { fixture in
            let error = try #require(await fixture.failure())
            #expect(
                error.code.rawValue == "no-answer" && error.status == nil && error.advice == .retry)
            #expect(error.mayBeAccepted)
            #expect(fixture.server.record.tallies[error.id]?.accepted == 5)
        }
    }

    @Test("A push that may have been accepted is reported so, also if the server is gone")
    func gone() async throws {
        let server = try await TestAPNsServer(script: { _ in .close(accepted: true) })
        let client = try Fixture.client(of: server, 1, 1)
        async let failure: APNsError? = {
            do throws(APNsError) {
                _ = try await client.send(Fixture.push(), to: Fixture.device)
                return nil
            } catch {
                return error
            }
        }()
        while server.record.requests == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
        try await server.stop()
        #expect(await failure?.code.rawValue == "no-answer")
        await client.shutDown()
    }

    @Test("A closed client fails at once") func closedClient() async throws {
        try await Fixture.run { fixture in
            await fixture.client.shutDown()
            #expect(await fixture.failure()?.code.rawValue == "cancelled")
        }
    }

    @Test("Each attempt has a time limit") func timeLimit() async throws {
        try await Fixture.run(
            timeout: 2, script: { $0.attempt == 1 ? .stall(accepted: true) : .accept() }
        ) {
            fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            // On a busy machine, a later attempt can take the time, too.
            #expect(receipt.attempts >= 2)
            #expect(fixture.server.record.tallies[receipt.id]?.accepted ?? 0 >= 2)
        }
    }

    @Test("A status that isn't valid ends the connection", arguments: [-5, 0, 42, 101, 600, 1000])
    func oddStatus(status: Int) async throws {
        try await Fixture.run(script: { $0.attempt == 1 ? .answer(status, "Odd") : .accept() }) {
            fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            // On a busy machine, the second attempt can meet the connection that is ending.
            #expect((2...3).contains(receipt.attempts))
            #expect(fixture.server.record.connections == 2)
        }
    }

    /// The server needs 30 s for the body.
    @Test("The time limit is for the body, too", arguments: [200, 400]) func slowBody(status: Int)
        async throws
    {
        let answer = Behavior.answer(status, String(repeating: "a", count: 3000), inPieces: true)
        try await Fixture.run(timeout: 1, script: { _ in answer }) { fixture in
            let start = Date()
            let error = await fixture.failure()
            #expect(Date().timeIntervalSince(start) < 29)
            #expect(status == 200 ? error == nil : error?.code.rawValue == "status-400")
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test("A port without a server is an error of the connection") func noServer() async throws {
        let server = try await TestAPNsServer()
        let client = try Fixture.client(of: server, 1, 0.5)
        try await server.stop()
        await #expect { try await client.send(Fixture.push(), to: Fixture.device) } throws: {
            error in
            (error as? APNsError)?.code.rawValue == "no-connection"
                && (error as? APNsError)?.advice == .retry
        }
        await client.shutDown()
    }

    @Test("A server with another certificate gets no push") func otherCertificate() async throws {
        let server = try await TestAPNsServer()
        let environment = try APNsEnvironment(host: "localhost", port: server.port)
        let client = try APNsClient(
            Fixture.credentials(), environment: environment, sealedOnly: false, connections: 1,
            timeout: 1, pause: 0.01)
        await #expect { try await client.send(Fixture.push(), to: Fixture.device) } throws: {
            error in
            (error as? APNsError)?.code.rawValue == "no-connection"
                && (error as? APNsError)?.advice == .checkCredentials
        }
        #expect(server.record.requests == 0)
        await client.shutDown()
        try await server.stop()
    }

    @Test("A cancelled task stops at once") func cancellation() async throws {
        try await Fixture.run(script: { _ in .stall(accepted: false) }) { fixture in
            let task = Task { await fixture.failure() }
            while fixture.server.record.requests == 0 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            let start = Date()
            task.cancel()
            #expect(await task.value?.code.rawValue == "cancelled")
            #expect(Date().timeIntervalSince(start) < 10)
            #expect(fixture.server.record.requests == 1)
        }
    }

    @Test("A cancelled task doesn't wait for the next attempt") func cancellationInPause()
        async throws
    {
        let answer = Behavior.answer(503, "ServiceUnavailable", headers: ["retry-after": "25"])
        try await Fixture.run(script: { _ in answer }) { fixture in
            let task = Task { await fixture.failure() }
            while fixture.server.record.requests == 0 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            try await Task.sleep(nanoseconds: 100_000_000)
            task.cancel()
            let start = Date()
            #expect(await task.value?.code.rawValue == "cancelled")
            #expect(Date().timeIntervalSince(start) < 10)
        }
    }
}
#endif
