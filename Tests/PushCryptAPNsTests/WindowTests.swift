#if APNs
import PushCryptAPNs
import PushCryptAPNsTesting
import Testing

@Suite("Windows of the server") struct WindowTests {
    private static let long = #"{"aps":{"alert":""# + String(repeating: "x", count: 3000) + #""}}"#

    /// Each request waits for its window, which grows by a number of bytes when a part of it has
    /// arrived.
    @Test(
        "A window of few bytes is used as it grows",
        arguments: [(0, 1000), (1, 1), (1, 100), (200, 200), (0, 5000)])
    func smallWindow(size: UInt32, growth: UInt32) async throws {
        var options = TestAPNsServer.Options()
        options.opening = [.write(.settings([.initialWindow: size, .concurrentStreams: 10]))]
        options.streamWindow = growth
        try await Fixture.run(options) { fixture in
            let count = growth == 1 ? 5 : 30
            let text = growth == 1 ? #"{"aps":{"alert":"-"}}"# : Self.long
            let pushes = (0..<count).map {
                (push: Fixture.push(text), device: Fixture.device(number: $0))
            }
            var results: [Result<APNsReceipt, APNsError>] = []
            for await result in fixture.client.send(pushes) { results.append(result) }
            fixture.compare(results).expectNoCost()
            #expect(fixture.server.record.pushes.allSatisfy { $0.payload == Array(text.utf8) })
        }
    }

    /// The connection's window is 65,535 bytes.
    @Test("Requests wait for the window of the connection", arguments: [60_000, 65_535])
    func connectionWindow(growth: Int) async throws {
        var options = TestAPNsServer.Options()
        options.connectionWindow = growth
        try await Fixture.run(options) { fixture in
            let pushes = (0..<100).map {
                (push: Fixture.push(Self.long), device: Fixture.device(number: $0))
            }
            var results: [Result<APNsReceipt, APNsError>] = []
            for await result in fixture.client.send(pushes) { results.append(result) }
            fixture.compare(results).expectNoCost()
            #expect(fixture.server.record.connections == 1)
        }
    }

    @Test("A request whose window never grows is sent again elsewhere") func noWindow() async throws
    {
        var options = TestAPNsServer.Options()
        options.opening = [.write(.settings([.initialWindow: 0]))]
        options.openedConnections = 1
        try await Fixture.run(options, connections: 2, timeout: 1) { fixture in
            fixture.compare(await fixture.sendMany(3)).expectAgreement()
        }
    }
}
#endif
