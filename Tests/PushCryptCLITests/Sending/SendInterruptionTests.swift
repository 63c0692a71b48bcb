#if APNs
import Foundation
import PushCryptTesting
import Testing

/// `send --lines` that is interrupted, and its files meanwhile.
@Suite(.toolThreads) struct SendInterruptionTests {
    private let tool: Tool
    private let server: SendServer
    private var environment: [String: String] { ["XDG_CACHE_HOME": tool.path("cache")] }

    init() throws {
        tool = try Tool()
        server = try SendServer(tool)
        let key = Base64URL.encode(try tool.createDevice().rawRepresentation)
        try tool.write(#"{"aps":{"alert":{"title":"t","body":"b"}}}"#, to: "payload.json")
        let input = (0..<60).map {
            #"{"id":\#($0),"to":"\#(key)","token":"\#(Self.token($0))"}"# + "\n"
        }.joined()
        let seal = [
            "seal", "--lines", "--anonymous", "--payload", "payload.json", "--topic",
            "com.example.app",
        ]
        try tool.write(try tool.run(all: seal, input: input).text, to: "lines")
    }

    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private func run(_ arguments: String..., meanwhile: (Int32) throws -> Void = { _ in }) throws
        -> Tool.Run
    {
        try tool.run(
            all: server.send + ["--lines", "-o", "output"] + arguments, environment: environment,
            meanwhile: meanwhile)
    }

    /// Waits until the journal has the pushes that the client got.
    private func waitForPushes() {
        while ((try? tool.read("output.journal")) ?? "").split(separator: "\n").count < 22 {
            usleep(2000)
        }
    }

    @Test(
        "A second signal ends the wait for answers, and the pushes are sent again under their IDs")
    func secondSignal() throws {
        // The system accepts connections for the stopped server, which never answers.
        kill(server.process, SIGSTOP)
        let interrupted = try run("lines", "--concurrency", "20") { process in
            waitForPushes()
            #expect(try tool.mode("output.journal") == 0o600)
            let second = try tool.run(
                all: server.send + ["--lines", "-o", "output", "lines", "--resume"],
                environment: environment)
            #expect(
                second.status == 1 && second.errors.contains("[lock-timeout]"), "\(second.errors)")
            kill(process, SIGINT)
            kill(process, SIGTERM)
        }
        kill(server.process, SIGCONT)
        #expect(interrupted.status == 1 && !interrupted.wasKilled, "\(interrupted.errors)")
        #expect(
            interrupted.errors.contains("Interrupted") && interrupted.errors.contains("'--resume'"))
        let ids = try tool.read("output.journal").matches(
            of: #/\np [0-9a-f]{16} \d+ ([0-9A-F-]{36}) 0 /#
        )
        .map { String($0.output.1) }
        #expect(try ids.count == 20 && tool.read("output").isEmpty, "\(ids.count)")

        let fresh = try tool.run(
            all: server.send + ["--lines", "-o", "output", "lines"], environment: environment)
        #expect(
            fresh.status == 1 && fresh.errors.contains("Continue that with '--resume'"),
            "\(fresh.errors)")
        let resumed = try run("lines", "--resume")
        #expect(resumed.status == 0, "\(resumed.errors)")
        let answers = try tool.read("output").split(separator: "\n")
        #expect(
            answers.count == 60 && zip(answers, 0...).allSatisfy { $0.hasPrefix(#"{"id":\#($1),"#) }
        )
        // The server has read nothing, as the client knows.
        #expect(!answers.joined().contains("may-arrive-twice"))
        let sent = try server.pushes().compactMap { $0["apns-id"]?.stringValue }
        #expect(Set(ids).isSubset(of: sent) && Set(sent).count == 60)
        #expect(try !tool.names.contains("output.journal"))
    }

    @Test("Without an order, a killed process is continued, too") func unordered() throws {
        let killed = try run("lines", "--unordered", "--concurrency", "3") { process in
            while ((try? tool.read("output")) ?? "").split(separator: "\n").count < 5 {
                usleep(500)
            }
            kill(process, SIGKILL)
        }
        // A fast process may have ended before.
        #expect(killed.wasKilled || killed.status == 0)
        if killed.wasKilled {
            #expect(try run("lines", "--resume").errors.contains("Add '--unordered'."))
        }
        let resumed = try run("lines", "--unordered", "--resume")
        #expect(resumed.status == 0, "\(resumed.errors)")
        let lines = try tool.read("output").matches(of: /"line":(\d+),"status":200/).compactMap {
            Int($0.output.1)
        }
        #expect(lines.sorted() == Array(1...60))
        #expect(try Set(server.devices()).count == 60 && server.devices().count <= 63)
    }

    @Test("A terminal shows the progress", .terminal) func aTerminalShowsTheProgress() throws {
        let arguments = server.send + ["--lines", "-o", "output", "--token-file", "token", "lines"]
        let shown = try tool.runOnTerminal(
            "'\(try Tool.executable.path)' \(arguments.joined(separator: " "))")
        #expect(shown.contains(#/\r[0-9]+ lines, [0-9]+ per second/#), "\(shown)")
        #expect(shown.contains("answered 60 lines, and refused 0 of them"), "\(shown)")
    }

    @Test("A reader that ends early ends the command with status 1, and isn't told")
    func closedOutput() throws {
        let shell = #""$0" "$@" | true; exit ${PIPESTATUS[0]}"#
        let run = try tool.run(
            all: server.send + ["--lines", "lines"], environment: environment,
            through: ["/bin/bash", "-c", shell])
        #expect(run.status == 1 && !run.errors.contains("error:"), "\(run.errors)")
    }
}
#endif
