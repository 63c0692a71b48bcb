import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// What the README shows is what is compiled, and what it says happens is what happens.
@Suite struct ReadmeTests {
    private let readme: Document
    private let folder: URL

    init() throws {
        readme = try Document("README.md")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func theCodeIsTheCodeThatIsCompiled() throws {
        let blocks = readme.blocks("swift")
        #expect(blocks.count == 2)
        #expect(blocks.first == "import PushCryptSender\n\n" + (try Document.snippet("ServerSnippet")))
        #expect(
            blocks.last == "import PushCryptApple\nimport UserNotifications\n\n"
                + (try Document.snippet("ExtensionSnippet")))
    }

    @Test func theCodeOfServerAndExtensionWorksTogether() throws {
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(atPath: ExtensionSnippet.keyringPath)
        }
        // A clone does not keep the mode of a private file, so the test keyrings are copied.
        let server = folder.appendingPathComponent("server.jwks").path
        for (source, target) in [("test-server", server), ("test-device", ExtensionSnippet.keyringPath)] {
            let contents = try Document("Keys/\(source).jwks").text
            let isMade = FileManager.default.createFile(
                atPath: target, contents: Data(contents.utf8), attributes: [.posixPermissions: 0o600])
            #expect(isMade)
        }
        let registeredKey = try Document("Keys/test-device.public.jwk").text
        var sent: [UInt8] = []
        try ServerSnippet.run(
            keyringPath: server, registeredKey: registeredKey, payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
        ) { payload, headers in
            sent = payload
            #expect(headers.contains { $0 == ("apns-topic", "com.example.app") })
        }
        #expect(try show(sent) == "Hello")
        #expect(try show(Array(#"{"aps":{"alert":"Forged"}}"#.utf8)) == "(Encrypted)")
    }

    /// What the README's extension shows for a payload.
    private func show(_ payload: [UInt8]) throws -> String? {
        let content = UNMutableNotificationContent()
        content.userInfo = try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        let shown = Protected<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        NotificationService().didReceive(UNNotificationRequest(identifier: "1", content: content, trigger: nil)) {
            let body = $0.body
            shown.withValue { $0 = body }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        return shown.withValue { $0 }
    }

    @Test func theConsoleShowsWhatHappens() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let block = try #require(readme.blocks("console").first)
        var shown: [(command: String, output: [String])] = []
        for line in block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                shown.append((String(line.dropFirst(2)), []))
            } else {
                let last = try #require(shown.indices.last)
                shown[last].output.append(line)
            }
        }
        #expect(shown.count == 5)
        for (command, output) in shown {
            let run = try shell(command)
            #expect(masked(run) == masked(output.joined(separator: "\n")), "\(command)")
        }
    }

    /// Keys and boxes are new in every run; their lengths are not.
    private func masked(_ text: String) -> String {
        text.replacing(/[A-Za-z0-9_-]{40,}/) { String(repeating: "?", count: $0.output.count) }
            .trimmingCharacters(in: .newlines)
    }

    private func shell(_ command: String) throws -> String {
        let run = try Shell.run(command, in: folder)
        #expect(run.status == 0, "\(command)")
        return run.output
    }

    @Test func theTwoSetUpCommandsInstallWhatTheyNeed() {
        let commands = readme.blocks("sh")
        #expect(commands.count == 2)
        #expect(commands.allSatisfy { $0.hasPrefix("apt-get update && apt-get install -y libsodium-dev && swift ") })
        #expect(commands.first?.hasSuffix("swift run pushcrypt demo") == true)
        #expect(commands.last?.hasSuffix("swift test") == true)
    }
}
