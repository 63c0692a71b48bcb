import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// If the tool is killed at any time, no part of an attachment has the name of a whole one, and the
/// next run removes the rest.
@Suite(.toolThreads, .thorough, .tracing) struct AttachmentCrashTests {
    /// An image of two chunks, with a text that each part contains.
    private static let image = "GIF89a" + String(repeating: "The cat is on the roof. ", count: 4000)
    private static let mark = Data("The cat is on the roof.".utf8)

    // MARK: Attach

    @Test("If attach is killed, the output is the old or the new file", arguments: [false, true])
    func attach(replaces: Bool) throws {
        func tool() throws -> Tool {
            let tool = try Tool()
            try tool.write(Self.image, to: "cat.gif")
            if replaces { try tool.write("old", to: "cat.sealed") }
            return tool
        }
        let arguments = [
            "attach", "cat.gif", "--url", "https://media.example.com/4e1f", "-o", "cat.sealed",
        ]
        let whole = try tool()
        let traced = try whole.trace(arguments, longest: 64)
        #expect(traced.run.status == 0)
        let length = try #require(FileManager.default.contents(atPath: whole.path("cat.sealed")))
            .count
        // The calls before are the start of any program.
        let first = try #require(
            traced.calls.firstIndex { $0.kind == "openat" && $0.paths == ["cat.gif"] })
        let calls = traced.calls[first...].filter {
            !$0.isAboutMemory && !["execve", "exit_group"].contains($0.name)
        }
        #expect(calls.count >= 15)
        var seen: [String] = []
        let last = calls.last { $0.kind == "write" && $0.descriptor != 1 }?.number
        for call in calls
        where LongRun.isRequested || call.kind == "rename"
            || call.kind == "write" && call.number >= last ?? 0
        {
            let tool = try tool()
            let run = try tool.run(arguments, meddling: .kill(before: call))
            #expect(run.wasKilled, "\(call)")
            let output = FileManager.default.contents(atPath: tool.path("cat.sealed"))
            let state = output == nil ? "missing" : output == Data("old".utf8) ? "old" : "new"
            if seen.last != state { seen.append(state) }
            #expect(state != "new" || output?.count == length, "\(call): a part of the file")
            // The description, with the key, is printed when the file is complete.
            #expect(run.output.isEmpty || state == "new", "\(call)")
            let others = try tool.names.subtracting(["cat.gif", "cat.sealed"])
            for name in others {
                #expect(
                    name.hasPrefix("cat.sealed.pushcrypt-") && name.hasSuffix(".tmp"),
                    "\(call): \(name)")
                let part = try Data(contentsOf: URL(fileURLWithPath: tool.path(name)))
                #expect(part.count <= length && part.range(of: Self.mark) == nil, "\(call)")
            }
            guard LongRun.isRequested || call.kind == "rename" else { continue }
            #expect(try tool.run(all: arguments).status == 0, "\(call)")
        }
        #expect(seen == [replaces ? "old" : "missing", "new"])
    }

    // MARK: Preview

    /// A directory with a sealed push whose attachment a loopback server has.
    private struct Preview {
        let tool: Tool
        let server: LoopbackServer
        let arguments: [String]
        let environment: [String: String]

        init(
            _ answer: @escaping @Sendable (LoopbackServer.Connection, [UInt8]) -> Void = {
                $0.answer($1)
            }
        ) throws {
            let tool = try Tool()
            try tool.write(image, to: "cat.gif")
            let path = tool.path("cat.sealed")
            server = LoopbackServer { connection in
                answer(
                    connection, FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
                )
            }
            let object = try tool.run(
                "attach", "cat.gif", "--url", server.url("cat").absoluteString, "-o", "cat.sealed")
            _ = try tool.createDevice()
            try tool.createServer()
            let push = try tool.run(
                "seal", "--to", "device.jwk", "--sign-with", "server.jwks",
                input: #"{"aps":{"alert":"A cat"},"# + object.text.dropFirst())
            try tool.write(push.text, to: "push.json")
            try FileManager.default.createDirectory(
                atPath: tool.path("tmp"), withIntermediateDirectories: true)
            arguments = [
                "preview", "--keyring", "device.jwks", "--signed-by", "server.jwk", "--attachments",
                "files", "--allow-http", "push.json",
            ]
            environment = ["TMPDIR": tool.path("tmp"), "SWIFT_DETERMINISTIC_HASHING": "1"]
            self.tool = tool
        }

        func run(
            through launcher: [String] = [], meanwhile: (Int32) throws -> Void = { _ in }
        ) throws -> Tool.Run {
            try tool.run(
                all: arguments, environment: environment, through: launcher, meanwhile: meanwhile)
        }

        func names(_ directory: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: tool.path(directory))) ?? [])
                .sorted()
        }

        func contents(_ name: String) -> Data {
            FileManager.default.contents(atPath: tool.path(name)) ?? Data()
        }
    }

    /// Runs a preview whose calls on files are logged and take longer, and kills it after some of
    /// them.
    ///
    /// The calls begin with the directory of the attachments. Those of several threads have no
    /// fixed order. Each one that changes a file takes `delay` milliseconds longer.
    private func run(_ preview: Preview, killAfter isDue: (([String]) -> Bool)?, delay: Int) throws
        -> (
            run: Tool.Run, calls: [String]
        )
    {
        let tracer = try #require(
            Tracing.tracer, "strace is not installed, and PUSHCRYPT_NEEDS_STRACE=1 is set")
        let log = preview.tool.path("trace")
        try preview.tool.write("", to: "trace")
        let names =
            "openat,mkdir,?mkdirat,chmod,write,fchmod,fsync,rename,?renameat,?renameat2,unlink,?unlinkat"
        func calls() -> [String] {
            let lines =
                (try? preview.tool.read("trace"))?.split(separator: "\n").map(String.init) ?? []
            let start =
                lines.firstIndex { $0.contains("mkdir") && $0.contains("files") } ?? lines.endIndex
            // Threads wake one another with writes of eight bytes, in any number.
            return lines[start...].filter { !$0.contains(" resumed>") && !$0.contains("\", 8") }
        }
        let changes = names.replacingOccurrences(of: "openat,", with: "")
        let run = try preview.run(
            through: [
                tracer, "-f", "-o", log, "-e", "trace=\(names)", "-e",
                "inject=\(changes):delay_enter=\(delay)000",
            ]
        ) { _ in
            guard let isDue else { return }
            for _ in 0..<60_000 {
                let calls = calls()
                if isDue(calls),
                    let process = calls.first.flatMap({ Int32($0.prefix { $0.isNumber }) })
                {
                    kill(process, SIGKILL)
                    return
                }
                // Another order of the threads may have fewer calls.
                if let process = calls.first?.prefix(while: { $0.isNumber }),
                    calls.contains(where: { $0.hasPrefix("\(process) +++") })
                {
                    return
                }
                usleep(1000)
            }
            Issue.record("The tool doesn't end.")
        }
        return (run, calls().filter { !$0.contains("+++") })
    }

    /// The directory that a run removes at its end.
    private static let ownDirectory = "pushcrypt-attachments"

    /// Expects that the files of a killed preview are of known kinds, and returns the number of
    /// those with text.
    private func expectKnownFiles(_ preview: Preview, _ place: String) throws -> Int {
        let sealed = preview.contents("cat.sealed")
        for name in preview.names("files") where name != Self.ownDirectory {
            #expect(
                preview.contents("files/\(name)") == Data(Self.image.utf8),
                "\(place): \(name) isn't whole")
        }
        var parts = 0
        let own = "files/\(Self.ownDirectory)"
        for name in preview.names(own) {
            let contents = preview.contents("\(own)/\(name)")
            // Foundation downloads to a file in a directory of the run.
            for part in preview.names("\(own)/\(name)") {
                #expect(
                    sealed.starts(with: preview.contents("\(own)/\(name)/\(part)")),
                    "\(place): \(name)/\(part)")
            }
            if name.hasSuffix(".gif") {
                #expect(contents == Data(Self.image.utf8), "\(place): \(name) isn't whole")
            } else if name.hasSuffix(".tmp"), name.contains(".gif.pushcrypt-") {
                // Opened chunks, which are authentic and only the owner's to read.
                #expect(Data(Self.image.utf8).starts(with: contents), "\(place): \(name)")
                #expect(try preview.tool.mode("\(own)/\(name)") == 0o600, "\(place): \(name)")
                if !contents.isEmpty { parts += 1 }
            } else {
                #expect(
                    name.hasPrefix("pushcrypt-") && sealed.starts(with: contents),
                    "\(place): \(name)")
            }
        }
        #expect(preview.names("tmp").isEmpty, "\(place)")
        return parts
    }

    @Test("If preview is killed, no part has the name of a whole file, and a later run removes all")
    func preview()
        throws
    {
        let preview = try Preview()
        // Three syncs are those of directories. At the fourth one, the opened file still has a
        // temporary name. A slow machine may need several attempts to kill the process before the
        // file gets its own name.
        var places: [([String]) -> Bool] = Array(
            repeating: { $0.count { $0.contains(" fsync") } == 4 }, count: 20)
        if LongRun.isRequested {
            let whole = try run(preview, killAfter: nil, delay: 10)
            #expect(
                whole.run.status == 0 && preview.names("files").count == 1
                    && preview.names("tmp").isEmpty)
            places = (1...whole.calls.count).map { count in { $0.count >= count } }
        }
        var (partial, killed, runs) = (0, 0, 0)
        for (number, isDue) in places.enumerated() where LongRun.isRequested || partial == 0 {
            runs += 1
            try preview.tool.removeFiles(in: ["files", "tmp"])
            try? FileManager.default.removeItem(atPath: preview.tool.path("files"))
            let (run, calls) = try run(
                preview, killAfter: isDue, delay: LongRun.isRequested ? 10 : 100)
            killed += run.wasKilled ? 1 : 0
            let place = "kill \(number) after \(calls.last ?? "")"
            partial += try expectKnownFiles(preview, place)
            // The leftovers become as old as those of an extension that the system ended minutes
            // ago.
            let own = "files/\(Self.ownDirectory)"
            for name in preview.names(own) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() - 600],
                    ofItemAtPath: preview.tool.path("\(own)/\(name)"))
            }
            // A killed run may have shown its file already.
            let whole = preview.names("files").filter { $0 != Self.ownDirectory }
            #expect(try preview.run().status == 0, "\(place)")
            let names = preview.names("files")
            #expect(
                names.count == whole.count + 1 && whole.allSatisfy(names.contains),
                "\(place): \(names)")
            #expect(
                names.allSatisfy { preview.contents("files/\($0)") == Data(Self.image.utf8) },
                "\(place)")
        }
        #expect(killed >= runs * 9 / 10 && partial > 0, "\(killed) of \(runs), \(partial)")
    }

    @Test("A failed download leaves nothing, also not in the system's temporary directory")
    func failures() throws {
        let answers: [(String, @Sendable (LoopbackServer.Connection, [UInt8]) -> Void)] = [
            (
                "damaged-attachment",
                { connection, sealed in connection.answer(sealed.dropLast() + [0]) }
            ),
            (
                "download-failed",
                { connection, sealed in connection.answer(sealed, status: "404 Not Found") }
            ),
            ("download-failed", { connection, sealed in connection.answer(sealed + [0]) }),
            (
                "download-failed",
                { connection, sealed in
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(sealed.count)\r\n\r\n")
                    connection.write(Array(sealed.prefix(70_000)))
                }
            ),
            (
                "download-failed",
                { connection, sealed in
                    connection.write("HTTP/1.1 200 OK\r\n\r\n")
                    connection.write([UInt8](repeating: 1, count: 1_000_000))
                }
            ),
        ]
        for (code, answer) in answers {
            let preview = try Preview(answer)
            let run = try preview.run()
            #expect(run.status == 0 && run.errors.contains("[\(code)]"), "\(run.errors)")
            #expect(
                preview.names("files").isEmpty && preview.names("tmp").isEmpty,
                "\(code): \(preview.names("tmp"))")
        }
    }
}

extension Tool {
    fileprivate func removeFiles(in directories: [String]) throws {
        for directory in directories {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path(directory)))
                ?? []
            {
                try FileManager.default.removeItem(atPath: path("\(directory)/\(name)"))
            }
        }
    }
}
