import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptPayload

/// The command `attach`.
@Suite(.toolThreads) struct AttachTests {
    private let tool: Tool
    private let url = "https://media.example.com/4e1f"

    init() throws {
        tool = try Tool()
        try tool.write("GIF89a and the rest of the image", to: "cat.gif")
    }

    @Test("The description is one object that is merged into a payload") func description() throws {
        let run = try tool.run(
            "attach", "cat.gif", "--url", url, "-o", "cat.sealed", "--hide-thumbnail")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let attachments = try Payload(parsing: run.text).attachments
        #expect(attachments.count == 1)
        let attachment = try #require(attachments.first)
        #expect(
            attachment.url == url && attachment.type.rawValue == "image/gif"
                && attachment.name == "cat.gif")
        #expect(attachment.seal != nil && attachment.hidesThumbnail)
        let sealed = try #require(FileManager.default.contents(atPath: tool.path("cat.sealed")))
        #expect(sealed.count == 25 + 1024 + 17 && sealed.range(of: Data("GIF".utf8)) == nil)
    }

    @Test("A terminal shows the progress, and the description after it", .terminal) func progress()
        throws
    {
        let command = "'\(try Tool.executable.path)' attach cat.gif --url \(url) -o cat.sealed"
        let shown = try tool.runOnTerminal(command)
        #expect(shown.contains("\rsealed 32 of 32 bytes, 100 %"), "\(shown)")
        let description = try #require(shown.range(of: #"{"pushcrypt"#) ?? shown.range(of: "{\""))
        #expect(!shown[description.lowerBound...].contains("sealed 32"), "\(shown)")
    }

    @Test("A wrong file, type, address or output is an error") func errors() throws {
        try tool.write("%PDF-1.7", to: "a.pdf")
        for (arguments, status, text) in [
            (["a.pdf", "--url", url, "-o", "out"], 65, "[unsupported-media]"),
            (["cat.gif", "--url", "media/1", "-o", "out"], 65, "[malformed-attachment]"),
            (
                ["cat.gif", "--url", "https://user:pass@a.example/1", "-o", "out"], 65,
                "names a user or a password"
            ),
            (["no.gif", "--url", url, "-o", "out"], 1, "[file-not-found]"),
            (["cat.gif", "--url", url, "-o", "no/out"], 1, "[file-not-found]"),
            (["cat.gif", "--url", url], 64, "--output"),
            (["-", "--url", url, "-o", "out"], 64, "Name files"),
        ] as [([String], Int32, String)] {
            let run = try tool.run(all: ["attach"] + arguments)
            #expect(
                run.status == status && run.errors.contains(text), "\(arguments): \(run.errors)")
            #expect(run.output.isEmpty && !FileManager.default.fileExists(atPath: tool.path("out")))
        }
    }

    @Test("The file itself isn't overwritten, and a large one isn't read") func unusualFiles()
        throws
    {
        try FileManager.default.createSymbolicLink(
            atPath: tool.path("link"), withDestinationPath: tool.path("cat.gif"))
        for output in ["cat.gif", "./cat.gif", "link"] {
            let run = try tool.run(all: ["attach", "cat.gif", "--url", url, "-o", output])
            #expect(
                run.status == 1 && run.errors.contains("[file-exists]"), "\(output): \(run.errors)")
        }
        let file = try #require(FileHandle(forWritingAtPath: tool.path("cat.gif")))
        try file.truncate(atOffset: 1 << 40)
        let run = try tool.run(all: ["attach", "cat.gif", "--url", url, "-o", "out"])
        #expect(run.status == 65 && run.errors.contains("[unsupported-media]"), "\(run.errors)")
    }

    @Test("A keyring isn't overwritten") func keyrings() throws {
        _ = try tool.createDevice()
        let run = try tool.run("attach", "cat.gif", "--url", url, "-o", "device.jwks")
        #expect(run.status == 1 && run.errors.contains("[file-exists]"), "\(run.errors)")
    }

    @Test("A large sealed file is replaced") func replacement() throws {
        try tool.write("\u{1}" + String(repeating: "a", count: 3_000_000), to: "cat.sealed")
        let run = try tool.run("attach", "cat.gif", "--url", url, "-o", "cat.sealed")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            FileManager.default.contents(atPath: tool.path("cat.sealed"))?.count == 25 + 1024 + 17)
    }

    @Test("An address without TLS is a warning") func http() throws {
        let run = try tool.run("attach", "cat.gif", "--url", "http://127.0.0.1/a", "-o", "out")
        #expect(run.status == 0 && run.errors.contains("warning: the URL begins with http:"))
    }

    // MARK: Preview

    /// Returns a sealed payload with an attachment that a server has.
    private func push(_ server: LoopbackServer, isSigned: Bool = true) throws -> String {
        let object = try tool.run(
            "attach", "cat.gif", "--url", server.url("cat").absoluteString, "-o", "cat.sealed")
        let merged = #"{"aps":{"alert":"A cat"},"# + object.text.dropFirst()
        _ = try tool.createDevice()
        try tool.createServer()
        let sender = isSigned ? ["--sign-with", "server.jwks"] : ["--anonymous"]
        let push = try tool.run(all: ["seal", "--to", "device.jwk"] + sender, input: merged)
        #expect(push.status == 0, "\(push.errors)")
        return push.text
    }

    /// Returns the preview of a sealed payload with an attachment.
    private func preview(
        _ server: LoopbackServer, _ options: [String] = ["--allow-http"],
        to directory: String = "files",
        isSigned: Bool = true
    ) throws -> Tool.Run {
        let push = try push(server, isSigned: isSigned)
        return try tool.run(
            all: [
                "preview", "--json", "--keyring", "device.jwks", "--attachments", directory,
                isSigned ? "--signed-by" : "--anyone",
            ] + (isSigned ? ["server.jwk"] : []) + options, input: push)
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: tool.path("files"))) ?? []
    }

    private func server() -> LoopbackServer {
        let path = tool.path("cat.sealed")
        return LoopbackServer { connection in
            connection.answer(FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [])
        }
    }

    @Test("Preview downloads the file that attach sealed") func previewDownloads() throws {
        let run = try preview(server())
        #expect(run.status == 0 && run.text.contains(#""body" : "A cat""#), "\(run.errors)")
        let name = try #require(files.first)
        #expect(files.count == 1 && name.hasSuffix(".gif") && run.text.contains(name))
        #expect(try tool.read("files/\(name)") == tool.read("cat.gif"))
    }

    @Test("Preview deletes no file of the user, and no file that it has shown", .thorough)
    func previewDeletesNothing()
        throws
    {
        let names = [
            "pushcrypt-notes.txt", "pushcrypt-server.jwks", "pushcrypt-\(UUID()).gif",
            "pushcrypt-fork/notes.txt",
            "pushcrypt-\(UUID())/notes.txt", "pushcrypt-attachments/notes.txt",
            "pushcrypt-attachments/pushcrypt-a/b",
        ]
        for name in names {
            let path = tool.path("files/\(name)")
            let directory = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            try tool.write("a", to: "files/\(name)")
            for old in [path, directory] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() - 3600], ofItemAtPath: old)
            }
        }
        #expect(try preview(server()).status == 0)
        for name in names { #expect(try tool.read("files/\(name)") == "a", "\(name)") }
        let shown = try #require(files.first { $0.hasSuffix(".gif") && !names.contains($0) })
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 3600], ofItemAtPath: tool.path("files/\(shown)"))
        #expect(try preview(server()).status == 0)
        #expect(files.contains(shown))
    }

    @Test("A link with the name of preview's own directory leads to no deletion", .thorough)
    func previewFollowsNoLink()
        throws
    {
        let victim = "victim/pushcrypt-\(UUID())"
        for target in ["victim", "files"] {
            try FileManager.default.createDirectory(
                atPath: tool.path(victim), withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: tool.path("files"), withIntermediateDirectories: true)
            try tool.write("a", to: "\(victim)/important")
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - 3600], ofItemAtPath: tool.path(victim))
            let link = tool.path("files/pushcrypt-attachments")
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: tool.path(target))
            let run = try preview(server())
            #expect(run.status == 1 && run.errors.contains("[insecure-file]"), "\(run.errors)")
            #expect(
                try tool.read("\(victim)/important") == "a" && files == ["pushcrypt-attachments"])
            try FileManager.default.removeItem(atPath: link)
        }
    }

    @Test("A file shown in a directory with the name of preview's own stays", .thorough)
    func previewKeepsWhatItHasShown() throws {
        try FileManager.default.createDirectory(
            atPath: tool.path("files/pushcrypt-attachments"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let server = server()
        #expect(try preview(server, to: "files/pushcrypt-attachments").status == 0)
        let inner = tool.path("files/pushcrypt-attachments")
        let shown = try #require(FileManager.default.contentsOfDirectory(atPath: inner).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 3600], ofItemAtPath: "\(inner)/\(shown)")
        #expect(try preview(server).status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(inner)/\(shown)"))
    }

    @Test("Nothing of an attachment is visible") func inspection() throws {
        let push = try push(server())
        let run = try tool.run("inspect", "--json", input: push)
        #expect(run.status == 0, "\(run.errors)")
        for text in ["ATTACHMENTS", "127.0.0.1", "image/gif", "cat.gif"] {
            #expect(!push.contains(text) && !run.text.contains(text), "\(text)")
        }
    }

    @Test("A damaged file leaves the text, and an empty directory") func damagedFile() throws {
        let server = LoopbackServer { $0.answer([UInt8](repeating: 1, count: 25 + 1024 + 17)) }
        let run = try preview(server)
        #expect(
            run.status == 0 && run.text.contains(#""outcome" : "opened""#)
                && run.text.contains("A cat"))
        #expect(run.errors.contains("[damaged-attachment]") && files.isEmpty, "\(run.errors)")
        #expect(run.text.contains(#""attachmentProblem" : "damaged-attachment""#), "\(run.text)")
    }

    @Test("A sealed file of a killed process is removed after an hour") func leftovers() throws {
        let (old, new) = ("out.pushcrypt-abcdefghijkl.tmp", "out.pushcrypt-ABCDEFGHIJKL.tmp")
        for (name, age) in [
            (old, 3700.0), (new, 1), ("other", 3700), ("out.pushcrypt-notes.md", 3700),
        ] {
            try tool.write("a", to: name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - age], ofItemAtPath: tool.path(name))
        }
        #expect(try tool.run("attach", "cat.gif", "--url", url, "-o", "out").status == 0)
        let isKept = [old, new, "other", "out.pushcrypt-notes.md", "out"].map {
            FileManager.default.fileExists(atPath: tool.path($0))
        }
        #expect(isKept == [false, true, true, true, true])
    }

    @Test("Without TLS or a signature, nothing is downloaded") func refusals() throws {
        let plain = try preview(server(), [])
        #expect(
            plain.status == 0 && plain.errors.contains("[download-failed]") && files.isEmpty,
            "\(plain.errors)")
    }

    @Test("An unsigned message's attachments aren't downloaded") func unsignedMessage() throws {
        let run = try preview(server(), isSigned: false)
        #expect(
            run.status == 0 && run.errors.contains("isn't verified") && files.isEmpty,
            "\(run.errors)")
    }
}
