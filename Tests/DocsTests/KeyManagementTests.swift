import Foundation
import PushCryptTesting
import Testing

/// The page about keys shows what happens.
@Suite final class KeyManagementTests {
    private let page: Document
    private let folder: URL

    init() throws {
        page = try Document("Docs/KeyManagement.md")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Code

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        #expect(try page.blocks("swift") == Document.snippets("KeyManagementSnippet"))
    }

    @Test func deviceAndServerWorkTogether() throws {
        let path = folder.appendingPathComponent("device.jwks").path
        let token = String(repeating: "0a", count: 32)
        var known: Recipient?
        var requests = 0
        func start(confirmed: String?) throws {
            try KeyManagementSnippet.device(path, "vendor", "installation", confirmed) { json in
                requests += 1
                known = try KeyManagementSnippet.server(known, Array(json.utf8), token)
                return KeyManagementSnippet.Answer(date: Date())
            }
        }
        try start(confirmed: nil)
        let recipient = try #require(known)
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key)
        let opener = Opener(keys: KeyringFileStore(path: path), accepting: .anyone)
        #expect(try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
        try start(confirmed: recipient.key.jwk)
        #expect(requests == 1)
    }

    @Test func theTableHasEveryState() {
        let rows = page.table("state | what it does | how it gets there")
        #expect(rows.map(\.first) == ["`pending`", "`primary`", "`retired`", "destroyed"])
        #expect(rows.last?.last?.contains("30 days and 48 hours") == true)
        #expect(KeyLifetime.afterRetirement == (30 * 24 + 48) * 3600)
    }

    @Test func everyCodeIsOne() {
        let codes: [PushCryptError.Code] = [.keyUnreadable, .implausibleClock, .fileUnsafe, .staleGeneration]
        for code in codes { #expect(page.text.contains("`\(code.rawValue)`")) }
    }

    // MARK: The tool

    @Test func theConsoleShowsWhatHappens() throws {
        #expect(page.blocks("console").count == 1)
        let lines = try #require(page.blocks("console").first).split(separator: "\n").map(String.init)
        let commands = lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
        #expect(commands.count == 5)
        let output = try shell(commands.joined(separator: "\n"))
        #expect(output.split(separator: "\n").map(String.init) == lines.filter { !$0.hasPrefix("$ ") })
        let all = try shell("export PUSHCRYPT_KEYRING=server.jwks\npushcrypt keys public --all")
        #expect(all.split(separator: "\n").count == 2)
    }

    @Test func theScheduleMayRunAtAnyTime() throws {
        let block = try #require(page.blocks("text").first { $0.contains("* push ") })
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("PUSHCRYPT_KEYRING="))
        // Five fields say when, one who.
        let fields = lines[1].split(separator: " ", maxSplits: 6).map(String.init)
        #expect(fields[5] == "push")
        let command = try #require(fields.last)
        let setUp = "export PUSHCRYPT_KEYRING=server.jwks\n"
        _ = try shell(setUp + "pushcrypt keygen --use sig\npushcrypt keygen --pending")
        let file = KeyringFile<SigningKey>(path: folder.appendingPathComponent("server.jwks").path)
        for retired in 1...3 {
            let before = try file.read()
            _ = try shell(setUp + command)
            let after = try file.read()
            #expect(after.primary.key.publicKey == before.pending.first?.key.publicKey)
            #expect(after.pending.count == 1 && after.retired.count == retired)
        }
    }

    /// What some commands print, errors included, with the tool of this build on the path.
    private func shell(_ script: String) throws -> String {
        let places = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""]
        let tool = try #require(
            places.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
                .first { FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("pushcrypt").path) })
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-euc", script]
        process.currentDirectoryURL = folder
        var variables = ProcessInfo.processInfo.environment
        variables["PATH"] = "\(tool.path):\(variables["PATH"] ?? "/bin")"
        variables["PUSHCRYPT_KEYRING"] = nil
        process.environment = variables
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output)")
        return output
    }
}
