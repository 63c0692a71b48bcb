import Foundation
import PushCryptTesting
import Testing

/// The command `attach`.
@Suite(.toolThreads) struct AttachTests {
    private let tool: Tool
    private let url = "https://media.example.com/4e1f"

    init() throws {
        tool = try Tool()
        try tool.write("GIF89a and the rest of the image", to: "cat.gif")
    }

    @Test("The description is one object that is merged into a payload") func description() throws {
        let run = try tool.run("attach", "cat.gif", "--url", url, "-o", "cat.sealed", "--hide-thumbnail")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let attachments = try Payload(parsing: run.text).attachments
        #expect(attachments.count == 1)
        let attachment = try #require(attachments.first)
        #expect(attachment.url == url && attachment.type.rawValue == "image/gif" && attachment.name == "cat.gif")
        #expect(attachment.isSealed && attachment.hidesThumbnail)
        let sealed = try #require(FileManager.default.contents(atPath: tool.path("cat.sealed")))
        #expect(sealed.count == 25 + 1024 + 17 && sealed.range(of: Data("GIF".utf8)) == nil)
    }

    @Test("A wrong file, type, address or output is an error") func errors() throws {
        try tool.write("%PDF-1.7", to: "a.pdf")
        for (arguments, status, text) in [
            (["a.pdf", "--url", url, "-o", "out"], 65, "[unsupported-media]"),
            (["cat.gif", "--url", url, "-o", "out", "--type", "image/png"], 65, "[unsupported-media]"),
            (["cat.gif", "--url", "media/1", "-o", "out"], 65, "[malformed-attachment]"),
            (["no.gif", "--url", url, "-o", "out"], 1, "[file-not-found]"),
            (["cat.gif", "--url", url, "-o", "no/out"], 1, "[file-not-found]"),
            (["cat.gif", "--url", url], 64, "--output"),
            (["-", "--url", url, "-o", "out"], 64, "Name files"),
        ] as [([String], Int32, String)] {
            let run = try tool.run(all: ["attach"] + arguments)
            #expect(run.status == status && run.errors.contains(text), "\(arguments): \(run.errors)")
            #expect(run.output.isEmpty && !FileManager.default.fileExists(atPath: tool.path("out")))
        }
    }

    @Test("A keyring isn't overwritten") func keyrings() throws {
        _ = try tool.createDevice()
        let run = try tool.run("attach", "cat.gif", "--url", url, "-o", "device.jwks")
        #expect(run.status == 1 && run.errors.contains("[file-exists]"), "\(run.errors)")
    }

    @Test("An address without TLS is a warning") func http() throws {
        let run = try tool.run("attach", "cat.gif", "--url", "http://127.0.0.1/a", "-o", "out")
        #expect(run.status == 0 && run.errors.contains("warning: the URL begins with http:"))
    }
}
