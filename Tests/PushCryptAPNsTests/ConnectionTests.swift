#if APNs
import Foundation
import PushCryptAPNs
import PushCryptKeyring
import PushCryptSystem
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Connections") struct ConnectionTests {
    /// The server counts streams beside the first one as violations.
    @Test("The first request goes alone until APNs has accepted the token") func firstAlone()
        async throws
    {
        let slow: Script = { _ in .accept(after: 0.05) }
        try await Fixture.run(connections: 2, script: slow) { fixture in
            for result in await fixture.sendMany(100) { _ = try result.get() }
            #expect(fixture.server.record.connections == 2)
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    @Test("After the first answer, requests go at the same time") func thenTogether() async throws {
        try await Fixture.run(script: { _ in .accept(after: 0.2) }) { fixture in
            let start = Date()
            for result in await fixture.sendMany(101) { _ = try result.get() }
            // One after the other, these take 20 s.
            #expect(Date().timeIntervalSince(start) < 20)
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test("A refused token lets no other request go at the same time") func refusedToken()
        async throws
    {
        var options = TestAPNsServer.Options()
        options.keys = [.second]
        try await Fixture.run(options) { fixture in
            let results = await fixture.sendMany(20)
            #expect(
                results.allSatisfy {
                    if case .failure(let error) = $0 { error.status == 403 } else { false }
                })
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    @Test("Few streams at the same time are enough") func fewStreams() async throws {
        var options = TestAPNsServer.Options()
        options.concurrentStreams = 3
        try await Fixture.run(options) { fixture in
            for result in await fixture.sendMany(100) { _ = try result.get() }
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    @Test("A silent connection is replaced after the time limit of one request")
    func silentConnection() async throws {
        let script: Script = {
            $0.connection == 1 && $0.deviceToken == Fixture.device(number: 3)
                ? .silence(accepted: false) : .accept()
        }
        try await Fixture.run(timeout: 3, script: script) { fixture in
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            for result in await fixture.sendMany(20) { _ = try result.get() }
            #expect(fixture.server.record.connections == 2)
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    @Test("A stalled request leaves the connection to the others") func stalledRequest()
        async throws
    {
        let script: Script = {
            $0.deviceToken == Fixture.device(number: 0) && $0.attempt == 1
                ? .stall(accepted: false) : .accept(after: 0.1)
        }
        try await Fixture.run(timeout: 3, script: script) { fixture in
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            async let stalled = fixture.client.send(Fixture.push(), to: Fixture.device(number: 0))
            for number in 1..<20 {
                _ = try await fixture.client.send(
                    Fixture.push(), to: Fixture.device(number: number))
            }
            #expect(try await stalled.attempts == 2)
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test(
        "GOAWAY and closed connections lose nothing",
        arguments: [
            Behavior.acceptThenGoAway, .goAway(accepted: false), .refuseWithGoAway,
            .close(accepted: false),
        ]) func goAway(fault: Behavior) async throws
    {
        let script: Script = {
            $0.attempt == 1 && $0.deviceToken.hasSuffix("5") ? fault : .accept()
        }
        try await Fixture.run(connections: 2, script: script) { fixture in
            for result in await fixture.sendMany(100, concurrently: 20) { _ = try result.get() }
            #expect(fixture.server.record.connections > 2)
            #expect(fixture.server.record.violations.isEmpty)
            #expect(fixture.server.record.tallies.count == 100)
        }
    }

    /// The server raises the limit of streams after the first answer, when the connection is idle.
    @Test("New settings on an idle connection are accepted", arguments: [1, 50])
    func lateSettings(count: Int) async throws {
        var options = TestAPNsServer.Options()
        options.settingsFrames = count
        try await Fixture.run(options) { fixture in
            for _ in 0..<3 {
                _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
                try await Task.sleep(nanoseconds: 50_000_000)
            }
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test("A first request that is cancelled lets the next one go") func cancelledFirst()
        async throws
    {
        let script: Script = {
            $0.deviceToken == Fixture.device ? .stall(accepted: false) : .accept()
        }
        try await Fixture.run(script: script) { fixture in
            let first = Task { await fixture.failure() }
            while fixture.server.record.requests == 0 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            async let others = fixture.sendMany(10)
            try await Task.sleep(nanoseconds: 100_000_000)
            #expect(fixture.server.record.requests == 1)
            first.cancel()
            for result in await others { _ = try result.get() }
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    /// With a certificate, the server takes many requests at once from the start, so that requests
    /// wait in the client.
    @Test(
        "Requests that wait for the first one survive its end",
        arguments: [
            Behavior.close(accepted: false), .goAway(accepted: false), .refuseWithGoAway,
            .reset(accepted: false),
            .stall(accepted: false), .silence(accepted: false), .answer(403, "Forbidden"),
            .accept(after: 0.2),
        ])
    func waitingRequests(fault: Behavior) async throws {
        let authentication = try APNsAuthentication.certificate(
            Certificates.client, privateKey: Certificates.clientKey)
        let isFirst = LockedValue(true)
        let script: Script = { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? fault : .accept()
            }
        }
        try await Fixture.run(timeout: 3, authentication: authentication, script: script) {
            fixture in
            let results = await fixture.sendMany(30)
            let failures = results.filter { if case .failure = $0 { true } else { false } }
            if case .answer = fault {
                #expect(failures.count == 1)
            } else {
                #expect(failures.isEmpty)
            }
            #expect(fixture.server.record.tallies.count == 30)
            if case .accept = fault { #expect(fixture.server.record.requests == 30) }
        }
    }

    @Test("A connection without settings is replaced, and doesn't hold up the end") func mute()
        async throws
    {
        var options = TestAPNsServer.Options()
        options.muteConnections = 1
        try await Fixture.run(options, timeout: 2) { fixture in
            let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(receipt.attempts == 1 && !receipt.mayArriveTwice)
            #expect(fixture.server.record.connections == 2)
            let start = Date()
            await fixture.client.shutDown()
            #expect(Date().timeIntervalSince(start) < 600)
        }
    }

    @Test("A server without HTTP/2 gets no push") func http1() async throws {
        var options = TestAPNsServer.Options()
        options.protocols = ["http/1.1"]
        try await Fixture.run(options, timeout: 1) { fixture in
            let error = await fixture.failure()
            #expect(error?.code == .noConnection && error?.advice == .checkCredentials)
            #expect(error?.reason.contains("HTTP/2") == true)
            #expect(fixture.server.record.violations.isEmpty)
        }
    }

    @Test("Pushes of which none was sent are reported so") func alwaysMute() async throws {
        var options = TestAPNsServer.Options()
        options.muteConnections = .max
        try await Fixture.run(options, timeout: 0.5) { fixture in
            for result in await fixture.sendMany(30) {
                guard case .failure(let error) = result else {
                    Issue.record("accepted")
                    continue
                }
                #expect(error.code.rawValue == "no-connection", "\(error)")
            }
            #expect(fixture.server.record.requests == 0)
        }
    }

    @Test("A connection after GOAWAY is closed, if the server doesn't close it") func lingering()
        async throws
    {
        try await Fixture.run(script: { _ in .acceptThenLinger }) { fixture in
            for attempt in 1...2 {
                _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
                // Without the client's end, the connection would stay open for ever.
                for _ in 1...600 where fixture.server.record.openConnections > 0 {
                    try await Task.sleep(nanoseconds: 50_000_000)
                }
                #expect(fixture.server.record.connections == attempt)
                #expect(fixture.server.record.openConnections == 0)
            }
        }
    }

    @Test("Requests that were cancelled while they waited are never sent") func cancelledWaiting()
        async throws
    {
        let authentication = try APNsAuthentication.certificate(
            Certificates.client, privateKey: Certificates.clientKey)
        let script: Script = { _ in .accept(after: 1) }
        try await Fixture.run(authentication: authentication, script: script) { fixture in
            async let first = fixture.client.send(Fixture.push(), to: Fixture.device)
            while fixture.server.record.requests == 0 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            let waiting = Task { await fixture.sendMany(5) }
            try await Task.sleep(nanoseconds: 300_000_000)
            waiting.cancel()
            _ = try await first
            _ = await waiting.value
            try await Task.sleep(nanoseconds: 300_000_000)
            _ = try await fixture.client.send(Fixture.push(), to: Fixture.device)
            #expect(fixture.server.record.requests == 2)
            #expect(fixture.server.record.connections == 1)
        }
    }

    /// The server takes one request at a time, so that one that the client counts as open would
    /// block all others.
    @Test("Requests that are cancelled at any time block no others") func cancelledAtAnyTime()
        async throws
    {
        let script: Script = {
            $0.deviceToken == Fixture.device ? .accept() : .stall(accepted: false)
        }
        for round in 0..<LongRun.count(20, full: 200) {
            try await Fixture.run(timeout: 2, script: script) { fixture in
                for number in 0..<10 {
                    let task = Task { await fixture.failure(to: Fixture.device(number: number)) }
                    try await Task.sleep(nanoseconds: UInt64(round * 40_000 + number * 300_000))
                    task.cancel()
                }
                // A request that waits for ever fails all attempts. A busy machine can delay one
                // beyond its timeout.
                let receipt = try await fixture.client.send(Fixture.push(), to: Fixture.device)
                #expect(receipt.attempts <= 2)
            }
        }
    }

    @Test("A client that is closed while requests wait ends them")
    func shutDownWithWaiting() async throws {
        let authentication = try APNsAuthentication.certificate(
            Certificates.client, privateKey: Certificates.clientKey)
        try await Fixture.run(
            authentication: authentication, script: { _ in .stall(accepted: false) }
        ) { fixture in
            async let results = fixture.sendMany(5)
            while fixture.server.record.requests == 0 {
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            await fixture.client.shutDown()
            #expect(await results.count == 5)
        }
    }

    @Test("A certificate replaces the provider token") func certificate() async throws {
        let authentication = try APNsAuthentication.certificate(
            Certificates.client, privateKey: Certificates.clientKey)
        try await Fixture.run(authentication: authentication) { fixture in
            let push = Fixture.push(headers: APNsHeaders())
            let receipt = try await fixture.client.send(push, to: Fixture.device)
            #expect(receipt.attempts == 1)
            #expect(fixture.server.record.tokens.isEmpty)
        }
        #expect(throws: PushCryptError(.invalidKey, "")) {
            try APNsAuthentication.certificate("", privateKey: Certificates.clientKey)
        }
        #expect(throws: PushCryptError(.invalidKey, "")) {
            try APNsAuthentication.certificate(Certificates.client, privateKey: "")
        }
    }
}
#endif
