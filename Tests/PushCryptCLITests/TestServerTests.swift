import Foundation
import PushCryptTesting
import Testing

/// The command `testserver`, to which SendServerTests send.
@Suite(.toolThreads) struct TestServerTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
    }

    @Test(
        "A wrong option is wrong usage",
        arguments: [
            ["--port", "65536"], ["--port", "-1"], ["--topic", "a b"], ["--topic", ""], [""],
        ])
    func wrongOptions(_ options: [String]) throws {
        let run = try tool.run(all: ["testserver"] + options)
        #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
        #expect(try tool.names.isEmpty)
    }

    #if APNs
    @Test("The server writes its credentials, says how to send, and prints what it accepts")
    func session() throws {
        let server = try SendServer(tool, "--topic", "com.example.bank")
        #expect(try tool.mode("key.p8") == 0o600 && tool.mode("client.key") == 0o600)
        try tool.write(#"{ "aps": {"alert" : "a"}, "b": [ 1.50 ] }"#, to: "payload.json")
        let token = String(repeating: "0a", count: 32)
        let run = try tool.run(
            all: server.send + ["--unsealed", "--device", token, "payload.json"])
        #expect(run.status == 0, "\(run.errors)")
        let log = try tool.read("server.log").split(separator: "\n")
        #expect(log.count == 2)
        #expect(log[0].contains(#""topic":"com.example.bank""#))
        #expect(log[1].contains(#""device":"\#(token)","topic":"com.example.bank","type":"alert""#))
        #expect(log[1].hasSuffix(#""payload":{"aps":{"alert":"a"},"b":[1.50]}}"#))
    }

    @Test("A signal ends the server") func interruption() throws {
        let script =
            #""$@" testserver apns > log & until grep -q port log; do sleep 0.05; done; kill $!; wait $!"#
        let run = try tool.run(all: [], through: ["/bin/sh", "-c", script, "sh"])
        #expect(run.status == 0 && !run.wasKilled, "\(run.errors)")
    }

    @Test("A port in use has a clear error") func usedPort() throws {
        let server = try SendServer(tool)
        let port = try #require(server.send.firstIndex(of: "--port").map { server.send[$0 + 1] })
        let run = try tool.run("testserver", "other", "--port", port)
        #expect(
            run.status == 1 && run.errors.contains("Give another one with '--port'."),
            "\(run.errors)")
    }
    #else
    @Test("Without the trait, the error says how to build it in") func withoutTrait() throws {
        let run = try tool.run("testserver")
        #expect(run.status == 64 && run.errors.contains("--traits APNs"))
        #expect(try tool.names.isEmpty)
    }
    #endif
}
