import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// The code, commands and picture of the README.
@Suite final class ReadmeTests {
    private let readme: Document
    private let directory: URL

    init() throws {
        readme = try Document("README.md")
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("pushcrypt-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("The code blocks are the compiled snippets")
    func codeBlocksAreTheSnippets() throws {
        let blocks = readme.blocks("swift")
        #expect(blocks.count == 3)
        #expect(blocks.first == "import PushCryptSender\n\n" + (try Document.snippet("ServerSnippet")))
        #expect(blocks.dropFirst().first == "import PushCryptApple\n\n" + (try Document.snippet("ExtensionSnippet")))
        #expect(blocks.last == (try Document.snippet("AppSnippet")))
    }

    @Test("The extension has at most ten lines")
    func extensionIsShort() throws {
        let code = try #require(readme.blocks("swift").dropFirst().first)
        let lines = code.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } }
        #expect((1...10).contains(lines.count))
    }

    @Test("The extension opens what the server seals, and rejects an unsealed payload")
    func serverAndExtensionWorkTogether() throws {
        // A clone doesn't keep the mode 0600, so the test keyrings are copied.
        let server = directory.appendingPathComponent("server.jwks").path
        let device = directory.appendingPathComponent("device.jwks").path
        for (source, target) in [("test-server", server), ("test-device", device)] {
            let contents = try Document("Keys/\(source).jwks").text
            let isCreated = FileManager.default.createFile(
                atPath: target, contents: Data(contents.utf8), attributes: [.posixPermissions: 0o600])
            #expect(isCreated)
        }
        let registeredKey = try Document("Keys/test-device.public.jwk").text
        var sent: [UInt8] = []
        try ServerSnippet.run(
            keyringPath: server, registeredKey: registeredKey, payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
        ) { payload, headers in
            sent = payload
            #expect(headers.contains { $0 == ("apns-topic", "com.example.app") })
        }
        let service = OnLinux(KeyringFileStore(path: device))
        #expect(try show(sent, service) == "Hello")
        #expect(try show(Array(#"{"aps":{"alert":"Forged"}}"#.utf8), service) == "(Encrypted)")
        // Without a keychain, the README's own extension shows the fallback.
        #expect(try show(sent, NotificationService()) == "(Encrypted)")
    }

    /// The README's extension with keys from a file, because Linux lacks a keychain.
    private final class OnLinux: NotificationService {
        private let store: KeyringFileStore

        init(_ store: KeyringFileStore) {
            self.store = store
        }

        override var keys: any KeyStore { store }
    }

    @Test("The app registers its public key and device token")
    func appRegisters() async throws {
        let store = TestKeyringStore()
        let requests = LockedValue<[String]>([])
        let server = AppSnippet.Server { registration, token in
            requests.withLock { $0.append(registration + token) }
            return .confirmed(at: Date())
        }
        let token = Data((0..<32).map { UInt8($0) })
        try await AppSnippet.run(store, UUID(), token, server)
        let first = try #require(requests.withLock { $0.last })
        #expect(first.hasSuffix("}000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
        #expect(first.contains(try #require(store.stored).primary.key.publicKey.jwk))
    }

    /// Returns the body that an extension shows for a payload.
    private func show(_ payload: [UInt8], _ service: NotificationService) throws -> String? {
        let content = UNMutableNotificationContent()
        content.userInfo = try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        let shown = LockedValue<String?>(nil)
        let done = DispatchSemaphore(value: 0)
        service.didReceive(UNNotificationRequest(identifier: "1", content: content, trigger: nil)) {
            let body = $0.body
            shown.withLock { $0 = body }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        return shown.withLock { $0 }
    }

    @Test("The console commands print what the README shows")
    func consoleCommandsPrintTheirOutput() throws {
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

    /// Replaces keys and sealed texts, which are new in every run, by as many question marks.
    private func masked(_ text: String) -> String {
        text.replacing(/[A-Za-z0-9_-]{40,}/) { String(repeating: "?", count: $0.output.count) }
            .trimmingCharacters(in: .newlines)
    }

    private func shell(_ command: String) throws -> String {
        let run = try Shell.run(command, in: directory)
        #expect(run.status == 0, "\(command)")
        return run.output
    }

    @Test("The two setup commands install libsodium and run the demo and the tests")
    func setupCommandsInstallLibsodium() {
        let commands = readme.blocks("sh")
        let start = "apt-get update && apt-get install -y libsodium-dev && "
        #expect(commands == [start + "swift run pushcrypt demo", start + "swift test"])
    }

    @Test("The picture has a dark theme and loads nothing")
    func pictureHasADarkTheme() throws {
        let picture = try Document("Docs/dataflow.svg").text
        #expect(picture.contains("@media (prefers-color-scheme: dark)"))
        #expect(picture.matches(of: /https?:|url\((?!#)|@import|href/).count == 1, "only the namespace is an address")
    }
}
