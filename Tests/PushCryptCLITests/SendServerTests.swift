#if APNs
import Foundation
import PushCryptTesting
import Testing

/// `send` with a server, line by line and alone.
@Suite(.toolThreads) struct SendServerTests {
    private static let payload = #"{"aps":{"alert":{"title":"t","body":"b"}}}"#
    private let tool: Tool
    private let key: String
    private var environment: [String: String] { ["XDG_CACHE_HOME": tool.path("cache")] }

    init() throws {
        tool = try Tool()
        key = Base64URL.encode(try tool.createDevice().rawRepresentation)
        try tool.write(Self.payload, to: "payload.json")
    }

    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private func run(_ server: SendServer, _ arguments: String..., input: String? = nil) throws
        -> Tool.Run
    {
        try tool.run(all: server.send + arguments, input: input, environment: environment)
    }

    /// Returns sealed lines with an ID and a device token.
    private func sealedLines(_ numbers: some Sequence<Int>) throws -> [String] {
        let input = numbers.map {
            #"{"id" : \#($0),"to":"\#(key)","token":"\#(Self.token($0))"}"# + "\n"
        }.joined()
        let sealed = try tool.run(
            "seal", "--lines", "--anonymous", "--payload", "payload.json", "--topic",
            "com.example.app", input: input)
        return sealed.text.split(separator: "\n").map { "\($0)\n" }
    }

    private static func isAccepted(_ line: Substring, _ number: Int) -> Bool {
        let start = #"{"id" : \#(number),"token":"\#(token(number))","status":200,"apns-id":""#
        return line.hasPrefix(start) && line.hasSuffix(#""}"#) && line.count == start.count + 38
    }

    // MARK: One push

    @Test("A push is sent, or refused with a hint") func aPushIsSent() throws {
        let server = try SendServer(tool)
        let sealed = try tool.run("seal", "--to", "device.jwk", "--anonymous", "payload.json").text
        let sent = try run(
            server, "--device", Self.token(1), "--expiration", "12h", "--priority", "5",
            input: sealed)
        #expect(sent.status == 0 && sent.errors.isEmpty, "\(sent.errors)")
        #expect(sent.text.hasPrefix(#"{"status":200,"apns-id":""#))
        #expect(sent.text.hasSuffix("\"}\n") && sent.text.count == 64)
        let other = try run(server, "--device", String(repeating: "00fc", count: 8), input: sealed)
        #expect(
            other.status == 65 && other.output.isEmpty
                && other.errors.contains("[bad-device-token]"))
        #expect(
            other.errors.contains(#""status":400"#)
                && other.errors.contains(#""advice":"fix the request""#))
        let plain = try run(server, "--device", Self.token(2), input: Self.payload)
        #expect(plain.status == 65 && plain.output.isEmpty && plain.errors.contains("[unsealed]"))
        #expect(
            try run(server, "--device", Self.token(3), "--unsealed", input: Self.payload).status
                == 0)
        let key = try run(server, "--device", Self.token(4), "key.p8")
        #expect(key.status == 65 && key.errors.contains("is a key"), "\(key.errors)")
        let broken = try run(server, "--device", Self.token(4), input: "{},")
        #expect(
            broken.status == 65 && broken.errors.contains("[malformed-json]"), "\(broken.errors)")
        #expect(try server.devices() == [Self.token(1), Self.token(3)])
        let foreign = try run(
            server, "--team-id", "AAAAAAAAAA", "--device", Self.token(1), input: sealed)
        #expect(
            foreign.status == 1 && foreign.output.isEmpty
                && foreign.errors.contains("[invalid-provider-token]"))
    }

    @Test("An envelope keeps the headers of its push") func envelope() throws {
        let server = try SendServer(tool)
        let send = Array(server.send.dropLast(2)) + ["--device", Self.token(1)]
        let seal = ["seal", "--to", "device.jwk", "--anonymous", "--envelope", "--topic"]
        let topic = try #require(server.send.last)
        let envelope = try tool.run(all: seal + [topic, "--lifetime", "5m"], input: Self.payload)
            .text
        #expect(try tool.run(all: send, input: envelope, environment: environment).status == 0)
        let background = try tool.run(
            all: seal + [topic, "--type", "background"], input: #"{"aps":{"content-available":1}}"#)
        #expect(
            try tool.run(all: send, input: background.text, environment: environment).status == 0)
        let pushes = try server.pushes()
        let expiration = try #require(
            envelope.firstMatch(of: /"apns-expiration":"(\d+)"/)?.output.1)
        #expect(pushes.map { $0["expiration"]?.stringValue }.first == String(expiration))
        #expect(pushes.map { $0["type"]?.stringValue } == ["alert", "background"])
        let ids = [envelope, background.text].map {
            $0.firstMatch(of: /"apns-id":"([^"]+)"/)?.output.1.uppercased()
        }
        #expect(pushes.map { $0["apns-id"]?.stringValue } == ids && !ids.contains(nil))
        for broken in [#"{"payload":{},"headers":[]}"#, #"{"payload":{},"headers":{"x":"y"}}"#] {
            let run = try tool.run(all: send, input: broken, environment: environment)
            #expect(run.status == 65 && run.errors.contains("[invalid-header]"), "\(run.errors)")
        }
    }

    @Test("The provider token is kept in a private file, and the next process takes it")
    func theTokenIsKept() throws {
        let server = try SendServer(tool)
        let sealed = try tool.run("seal", "--to", "device.jwk", "--anonymous", "payload.json").text
        let directory = "cache/pushcrypt"
        #expect(try run(server, "--device", Self.token(1), input: sealed).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.path(directory))
        let name = try #require(names.first { $0.hasPrefix("apns-") && $0.hasSuffix(".token") })
        #expect(try tool.mode("\(directory)/\(name)") == 0o600 && tool.mode(directory) == 0o700)
        let token = try tool.read("\(directory)/\(name)")
        // A token of another second.
        sleep(1)
        #expect(try run(server, "--device", Self.token(2), input: sealed).status == 0)
        #expect(try tool.read("\(directory)/\(name)") == token)
        try tool.write(token, to: "shared", mode: 0o600)
        #expect(
            try run(server, "--device", Self.token(2), "--token-file", "shared", input: sealed)
                .status == 0)
        #expect(try tool.read("shared") == token)
        try tool.setMode(0o644, of: "shared")
        let open = try run(server, "--device", "x", "--token-file", "shared", input: sealed)
        #expect(open.errors.contains("warning: the provider token isn't shared"), "\(open.errors)")
        #expect(!(open.text + open.errors).contains(token))
    }

    // MARK: Lines

    @Test("Each line has one answer, in order, with its other members") func eachLineHasAnAnswer()
        throws
    {
        let server = try SendServer(tool)
        let refusal = #"{"id":9,"line":2,"error":{"code":"invalid-key","reason":"r"}}"#
        let headers = #""headers":{"apns-topic":"com.example.app""#
        let cases: [(line: String, answer: String)] = try [
            (
                #"{"token":"00fc",\#(headers)},"payload":{"ENCRYPTED_DATA":"AQ"}}"#,
                #"{"token":"00fc","line":1,"#
            ),
            (refusal, refusal),
            (sealedLines([3])[0], #"{"id" : 3,"token":"\#(Self.token(3))","status":200"#),
            ("[", #"{"line":4,"error":{"code":"malformed-json""#),
            (
                #"{"id":5,"token":"00","payload":{},"headers":{"x":"1"}}"#,
                #"{"id":5,"token":"00","line":5,"error""#
            ),
            (
                #"{"token":"00","payload":{},"headers":[]}"#,
                #"{"token":"00","line":6,"error":{"code":"invalid-header""#
            ),
            (
                #"{"token":"00",\#(headers),"apns-priority":10},"payload":{}}"#,
                #"{"token":"00","line":7,"error":{"#
            ),
            (
                #"{"payload":{},"secret":[ 1 ]}"#,
                #"{"secret":[ 1 ],"line":8,"error":{"code":"missing-value""#
            ),
            (#"{"token":1,"payload":{}}"#, #"{"token":1,"line":9,"error":{"code":"type-mismatch""#),
            (String(repeating: "x", count: 70_000), #"{"line":10,"error":{"code":"line-too-long""#),
            (
                sealedLines([11])[0].replacing(#","apns-topic":"com.example.app""#, with: ""),
                #"{"id" : 11,"token":"\#(Self.token(11))","status":200"#
            ),
        ]
        let input = cases.map { $0.line.hasSuffix("\n") ? $0.line : $0.line + "\n" }.joined()
        let run = try run(server, "--lines", input: input)
        let lines = run.text.split(separator: "\n")
        #expect(
            run.status == 65 && run.errors.contains("answered 11 lines, and refused 9 of them"),
            "\(run.errors)")
        try #require(lines.count == cases.count)
        for (line, wanted) in zip(lines, cases) {
            #expect(line.hasPrefix(wanted.answer), "\(line)")
            #expect(!line.contains("ENCRYPTED_DATA") && !line.contains("\"headers\""))
            #expect(throws: Never.self) { try JSONValue(parsing: Array(line.utf8)) }
        }
        #expect(try Set(server.devices()) == [Self.token(3), Self.token(11)])
    }

    @Test("A line's own header counts, and a warning says so once") func ownHeaders() throws {
        let server = try SendServer(tool)
        let input = try sealedLines(1...3).joined()
        let run = try run(server, "--lines", "--expiration", "0", input: input)
        #expect(run.status == 0, "\(run.errors)")
        let warning = "warning: line 1 has a header of its own, which counts instead of '--exp"
        #expect(run.errors.contains(warning), "\(run.errors)")
        #expect(run.errors.components(separatedBy: "warning: ").count == 2, "\(run.errors)")
        let expirations = try server.pushes().map { $0["expiration"]?.stringValue }
        #expect(expirations.count == 3 && !expirations.contains("0"))
        let equal = try self.run(server, "--lines", "--type", "alert", input: input)
        #expect(!equal.errors.contains("warning: "), "\(equal.errors)")
    }

    @Test("A slow line keeps its place, and others are sent meanwhile")
    func aSlowLineKeepsItsPlace() throws {
        let server = try SendServer(tool, "--faults")
        // The server answers these tokens at first with REFUSED_STREAM, or with 503 and
        // Retry-After.
        let slow = [13, 47, 49]
        let input = try sealedLines(9..<55)
        let run = try run(server, "--lines", input: input.joined())
        let lines = run.text.split(separator: "\n")
        #expect(run.status == 0 && lines.count == 46, "\(run.errors)")
        #expect(zip(lines, 9...).allSatisfy { Self.isAccepted($0, $1) })
        let devices = try server.devices()
        #expect(devices.suffix(slow.count).contains(Self.token(49)), "\(devices)")
    }

    @Test("An answer appears while the input pauses") func answersAppearInPauses() throws {
        let (server, pipe) = (try SendServer(tool), Pipe())
        let input = try sealedLines([1, 2])
        let run = try tool.run(
            all: server.send + ["--lines", "-o", "output"], from: pipe, environment: environment
        ) { _ in
            for (count, line) in zip(1..., input) {
                try pipe.fileHandleForWriting.write(contentsOf: Data(line.utf8))
                let end = Date() + 60
                while ((try? tool.read("output")) ?? "").split(separator: "\n").count < count,
                    Date() < end
                {
                    usleep(5000)
                }
                #expect(
                    try Self.isAccepted(
                        tool.read("output").split(separator: "\n")[count - 1], count))
            }
            try pipe.fileHandleForWriting.close()
        }
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("A killed process continues with the first line that has no answer")
    func aKilledProcessContinues() throws {
        let server = try SendServer(tool)
        let input = try sealedLines(0..<400)
        try tool.write(input.joined(), to: "lines")
        // The input of the process that is killed doesn't end.
        let pipe = Pipe()
        let killed = try tool.run(
            all: server.send + ["--lines", "-o", "output"], from: pipe, environment: environment
        ) { process in
            try pipe.fileHandleForWriting.write(contentsOf: Data(input[..<100].joined().utf8))
            while ((try? tool.read("output")) ?? "").split(separator: "\n").count < 20 {
                usleep(1000)
            }
            kill(process, SIGKILL)
        }
        let send = server.send + ["--lines", "-o", "output", "lines"]
        let kept = try tool.read("output").split(separator: "\n").count
        #expect(killed.wasKilled && kept < 400)
        #expect(try tool.run(all: send, environment: environment).status == 1)
        let resumed = try tool.run(all: send + ["--resume"], environment: environment)
        #expect(
            resumed.status == 0 && resumed.errors.contains("the output had "), "\(resumed.errors)")
        let lines = try tool.read("output").split(separator: "\n")
        #expect(lines.count == 400)
        for (line, number) in zip(lines, 0...) {
            #expect(
                Self.isAccepted(
                    Substring(line.replacing(#","may-arrive-twice":true"#, with: "")), number),
                "\(line)")
        }
        let devices = try server.devices()
        #expect(Set(devices).count == 400 && devices.count < 800)
        // Pushes that were sent twice have the same ID.
        let ids = try Set(server.pushes().compactMap { $0["apns-id"]?.stringValue })
        #expect(
            ids.count == 400
                && lines.count { $0.contains("may-arrive-twice") } >= devices.count - 400)
        #expect(try !tool.names.contains("output.journal"))
    }

    @Test(
        "An error that concerns all lines ends the command, and they are sent later",
        arguments: [["--team-id", "AAAAAAAAAA"], ["--port", "1", "--patience", "0s"]])
    func anErrorOfAllLines(wrong: [String]) throws {
        let server = try SendServer(tool)
        let input = try sealedLines(0..<30).joined()
        let failed = try tool.run(
            all: server.send + ["--lines", "-o", "output"] + wrong, input: input,
            environment: environment)
        #expect(failed.status == 1, "\(failed.errors)")
        #expect(
            failed.errors.contains(
                wrong[0] == "--port" ? "[no-connection]" : "[invalid-provider-token]"))
        #expect(try tool.read("output").isEmpty && server.devices().isEmpty)
        let resumed = try run(server, "--lines", "-o", "output", "--resume", input: input)
        let lines = try tool.read("output").split(separator: "\n")
        #expect(
            resumed.status == 0 && zip(lines, 0...).allSatisfy { Self.isAccepted($0, $1) },
            "\(resumed.errors)")
        #expect(try lines.count == 30 && server.devices().count == 30)
    }

    @Test("Lines without a topic name the option") func linesWithoutATopic() throws {
        let line = #"{"token":"\#(Self.token(1))","payload":{}}"# + "\n"
        let send = try SendServer(tool).send
        let refused = try tool.run(
            all: send.dropLast(2) + ["--lines"], input: line, environment: environment)
        #expect(refused.status == 65 && refused.text.contains("'--topic'"), "\(refused.errors)")
    }

    @Test("At most 500 lines wait for their answers") func waitingLinesAreLimited() throws {
        let (server, pipe) = (try SendServer(tool), Pipe())
        let x = String(repeating: "x", count: 60_000)
        let line = Array((#"{"x":"\#(x)","token":"\#(Self.token(1))","payload":{}}"# + "\n").utf8)
        let output = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(output, F_SETFL, O_NONBLOCK) == 0)
        var (length, pauses) = (0, 0)
        // The system accepts connections for the stopped server, which never answers.
        kill(server.process, SIGSTOP)
        defer { kill(server.process, SIGCONT) }
        let run = try tool.run(
            all: server.send + ["--unsealed", "--lines"], from: pipe, environment: environment
        ) { process in
            // On a busy machine, the tool may need long for the first 500.
            while pauses < (length / line.count < 500 ? 30_000 : 50) {
                let rest = line[(length % line.count)...]
                let count = unsafe rest.withUnsafeBytes {
                    unsafe write(output, $0.baseAddress, $0.count)
                }
                (length, pauses) = count > 0 ? (length + count, 0) : (length, pauses + 1)
                if count < 0, errno == EPIPE { break }
                if count <= 0 { usleep(20_000) }
            }
            kill(process, SIGKILL)
        }
        // More lines are in the pipe and in the buffer of the reader.
        #expect(
            run.wasKilled && (500..<520).contains(length / line.count), "\(length / line.count)")
    }
}
#endif
