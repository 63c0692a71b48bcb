import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The rules for every page: blocks that are compiled and executed, and links to files that exist.
@Suite(.ownThread) struct PageTests {
    /// The directories and files that contain the Swift blocks of each page, and run them.
    private static let sources = [
        "README.md": ["ReadmeTests"],
        "Docs/Payloads.md": ["PayloadsTests", "AttachmentsPageTests"],
        "Docs/Diagnosis.md": ["DiagnosisPageTests", "PageTests"],
        "Docs/FirstPush.md": ["../../Docs/Examples/FirstServer/Sources/FirstServer/FirstServer"],
        "Docs/Sending.md": [
            "../PushCryptAPNsTests/SendingPageTests", "CarriersPageTests",
            "../../Docs/Examples/Vendors/OneSignalService",
        ],
        "Docs/Xcode.md": ["XcodePageTests"],
        "Docs/OtherLanguages.md": [
            "OwnFormatPageTests",
            "../../Sources/PushCryptCLI/Templates/PushCryptBridge",
        ],
    ]

    @Test("Every Swift block is in a file that the tests run", arguments: Document.pages)
    func swiftBlocksAreRun(path: String) throws {
        let sources = try (Self.sources[path] ?? []).map {
            try Document("Tests/DocsTests/\($0).swift")
        }
        let blocks = try Document(path).blocks("swift")
        #expect(blocks.isEmpty == sources.isEmpty)
        for block in blocks.map({ $0.replacing(#/^import \w+\n\n/#, with: "") }) {
            #expect(
                sources.contains { $0.contains(lines: block) },
                "Change the test that runs this code too:\n\(block)")
        }
    }

    @Test("Every command of a console block prints what the page shows", arguments: Document.pages)
    func consoleBlocksAreExecuted(path: String) throws {
        let scratch = try Scratch()
        for block in try Document(path).blocks("console") where block.contains("$ pushcrypt") {
            let commands = block.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map {
                $0.dropFirst(2)
            }
            #expect(!commands.isEmpty)
            let script = commands.map {
                "echo '$ '\(Self.quoted($0))\n{ \($0)\n} || test $? -eq 65\n"
            }.joined()
            let run = try Shell.run(script, in: URL(fileURLWithPath: scratch.path))
            #expect(run.status == 0)
            guard Self.masked(run.output) != Self.masked(block) else { continue }
            let output = run.output.trimmingCharacters(in: .newlines)
            try Document.expect(path, has: Document(path).text.replacing(block, with: output))
        }
    }

    private static func quoted(_ command: Substring) -> String {
        "'\(command.replacing("'", with: "'\\''"))'"
    }

    /// Replaces keys and sealed texts, which are new in every run, by as many question marks.
    private static func masked(_ text: String) -> String {
        text.replacing(/[A-Za-z0-9_-]{40,}/) { String(repeating: "?", count: $0.output.count) }
            .trimmingCharacters(in: .newlines)
    }

    @Test(
        "Every page begins with its purpose, and then code or a command",
        arguments: Document.pages.filter { $0.hasPrefix("Docs/") })
    func pageBeginsWithItsPurpose(path: String) throws {
        let parts = try Document(path).text.components(separatedBy: "\n\n")
        #expect(parts[1].hasPrefix("You ") && parts[1].hasSuffix("."), "\(parts[1])")
        #expect(parts[2].hasPrefix("```"), "\(parts[2])")
    }

    @Test("Every link leads to a file that exists", arguments: Document.pages)
    func everyLinkLeadsToAFile(path: String) throws {
        let page = Document.project.appendingPathComponent(path)
        let text = try Document(path).text
        let inline = text.matches(of: /\]\(([^):#]+)(#[^)]*)?\)/).map { String($0.output.1) }
        let definitions = text.matches(of: /\n\[[^\]\n]+\]: ([^:#\s]+)(?=\s)/).map {
            String($0.output.1)
        }
        for link in inline + definitions {
            let target = page.deletingLastPathComponent().appendingPathComponent(link)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
        }
    }

    @Test("Every source that the threat model cites is defined, and every definition is cited")
    func everySourceIsDefined() throws {
        let text = try Document("Docs/ThreatModel.md").text
        let cited = Set(text.matches(of: /\]\[([a-z0-9]+)\]/).map { String($0.output.1) })
        let defined = text.matches(of: /\n\[([a-z0-9]+)\]: \S/).map { String($0.output.1) }
        #expect(cited == Set(defined))
        #expect(defined.count == cited.count)
    }

    @Test("The format's example opens")
    func formatExampleOpens() throws {
        let page = try Document("Docs/Format.md")
        let payload = try #require(page.blocks("json").first)
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: [try TestKeys.sender().publicKey]), time: TestClock())
        let opened = try opener.open(json: payload.utf8)
        #expect(opened.issuedAt == TestClock().now)
        #expect(page.blocks("text").contains(String(decoding: opened.payload, as: UTF8.self)))
        #expect(
            page.text.contains("`apns-id` is `\(RawMessage.apnsID(of: opened.messageID.bytes))`"))
    }

    @Test("The code of the errors page shortens a payload that is too long")
    func payloadIsShortened() throws {
        let payload = Array(#"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#.utf8)
        let push = try Self.shortened(payload, Sealer(.anonymous), TestKeys.device().publicKey)
        #expect(push.payload.count < 4096)
    }

    /// The code of the errors page, whose result its table shows.
    static func status(for error: PushCryptError) -> Int {
        switch error.code.responsibility {
        case .caller: return 400
        case .device: return 409
        default: return 500
        }
    }

    private static func shortened(
        _ payload: [UInt8], _ sealer: Sealer, _ device: RecipientPublicKey,
        shorterPayload: [UInt8] = Array(#"{"aps":{"alert":"x"}}"#.utf8)
    ) throws -> SealedPush {
        let push: SealedPush
        do {
            push = try sealer.seal(json: payload, for: device)
        } catch let error where error.code == .payloadTooLarge {
            push = try sealer.seal(json: shorterPayload, for: device)
        }
        return push
    }

    @Test("The tool's completion command of each shell prints a script")
    func completionCommandsPrintScripts() throws {
        let rows = try Document("Docs/Operating.md").table("shell | command | for yourself")
        #expect(rows.compactMap(\.first) == ["bash", "zsh", "fish"])
        for row in rows {
            let script = try #require(row.dropFirst().first?.quoted?.split(separator: " > ").first)
            let run = try Shell.run(String(script), in: FileManager.default.temporaryDirectory)
            #expect(run.status == 0)
            #expect(run.output.contains("__pushcrypt"))
        }
    }

    @Test("The installation builds the product that the package declares")
    func installedProductExists() throws {
        let build = "\nswift build -c release --static-swift-stdlib --product pushcrypt\n"
        #expect(try Document("Docs/Operating.md").blocks("sh").contains { $0.contains(build) })
        #expect(try Document("Package.swift").text.contains(#".executable(name: "pushcrypt""#))
    }
}
