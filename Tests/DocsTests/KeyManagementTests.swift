import Foundation
import PushCryptCore
import PushCryptKeyring
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

    @Test func theOneCallRegistersAndRotates() async throws {
        let path = folder.appendingPathComponent("device.jwks").path
        let (table, requests) = (LockedValue<[String: Recipient]>([:]), LockedValue(0))
        let notes = folder.path
        func start(account: String = "anna") async throws {
            try await KeyManagementSnippet.app(path, "vendor", notes, account, Data(repeating: 0x0a, count: 32)) {
                json, token in
                requests.withLock { $0 += 1 }
                return try table.withLock { table in
                    do {
                        table[token] = try KeyManagementSnippet.server(table[token], Array(json.utf8), token)
                        return KeyManagementSnippet.Answer(date: Date(), staleGeneration: nil)
                    } catch let error as PushCryptError where error.code == .staleGeneration {
                        return KeyManagementSnippet.Answer(date: Date(), staleGeneration: table[token]?.generation)
                    }
                }
            }
        }
        for _ in 1...2 { try await start() }
        #expect(requests.withLock { $0 } == 1)
        let token = String(repeating: "0a", count: 32)
        let first = try #require(table.withLock { $0[token] })
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first.key)
        let opener = Opener(keys: KeyringFileStore(path: path), senderPolicy: .anyone)
        #expect(try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
        try await start(account: "berta")
        #expect(requests.withLock { $0 } == 2)
        // Without its notes the app was installed anew; without its keys, too, the server knows a later generation.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.removeItem(atPath: notes + "/pushcrypt.device")
        try await start(account: "berta")
        #expect(requests.withLock { $0 } == 4)
        #expect(
            table.withLock { $0[token]?.key } == (try KeyringFileStore(path: path).keyring()?.primary.key.publicKey))
    }

    @Test func deviceAndServerWorkTogether() throws {
        let path = folder.appendingPathComponent("device.jwks").path
        var table: [String: Recipient] = [:]
        var registered: (key: String, token: String)?
        var requests = 0
        func start(token: String, installation: String = "installation") throws {
            try KeyManagementSnippet.device(path, "vendor", installation, token, &registered) { json, token in
                requests += 1
                do {
                    table[token] = try KeyManagementSnippet.server(table[token], Array(json.utf8), token)
                    return KeyManagementSnippet.Answer(date: Date(), staleGeneration: nil)
                } catch let error as PushCryptError where error.code == .staleGeneration {
                    return KeyManagementSnippet.Answer(date: Date(), staleGeneration: table[token]?.generation)
                }
            }
        }
        let (first, second) = (String(repeating: "0a", count: 32), String(repeating: "0b", count: 32))
        try start(token: first)
        let recipient = try #require(table[first])
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key)
        let opener = Opener(keys: KeyringFileStore(path: path), senderPolicy: .anyone)
        #expect(try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
        try start(token: first)
        #expect(requests == 1)
        // What is stored is enough to make a recipient again.
        #expect(
            try Recipient(deviceToken: first, registration: Registration(parsing: recipient.registration.json.utf8))
                == recipient)

        try start(token: second)
        #expect(requests == 2 && table[second]?.key == recipient.key)
        // An old backup of the same device: the server knows a later key.
        let backup = try Data(contentsOf: URL(fileURLWithPath: path))
        let keys = DeviceKeys(
            store: KeyringFileStore(path: path),
            installation: Installation(device: "vendor", installation: "installation"))
        _ = try keys.renew()
        try start(token: second)
        #expect(requests == 3 && table[second]?.key != recipient.key)
        try backup.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        registered = nil
        try start(token: second, installation: "another")
        #expect(requests == 5 && table[second]?.key == recipient.key)
    }

    @Test func theTableHasEveryState() {
        let rows = page.table("state | what it does | how it gets there")
        #expect(rows.map(\.first) == ["`pending`", "`primary`", "`retired`", "destroyed"])
        #expect(rows.last?.last?.contains("30 days and 48 hours") == true)
        #expect(KeyLifetime.afterRetirement == (30 * 24 + 48) * 3600)
    }

    @Test func everyCodeIsOne() {
        let codes: [PushCryptError.Code] = [
            .keyUnreadable, .implausibleClock, .insecureFile, .staleGeneration, .deviceLocked, .missingEntitlement,
        ]
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
        let block = try #require(page.blocks("text").first { $0.contains(" push pushcrypt ") })
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("PUSHCRYPT_KEYRING="))
        // Five fields say when, one who.
        let fields = lines[1].split(separator: " ", maxSplits: 6).map(String.init)
        #expect(fields[5] == "push")
        let command = try #require(fields.last)
        let setUp = "export PUSHCRYPT_KEYRING=server.jwks\n"
        _ = try shell(setUp + "pushcrypt keygen --use sig")
        let path = folder.appendingPathComponent("server.jwks").path
        let file = KeyringFile<SigningKey>(path: path)
        let first = try file.read().primary.key.publicKey
        // Twice, and after a kill in the middle: nothing signs that was not out for long.
        for _ in 1...2 { _ = try shell(setUp + command) }
        let prepared = try file.read()
        #expect(prepared.primary.key.publicKey == first && prepared.pending.count == 1)
        let parts = command.components(separatedBy: " && ")
        #expect(parts.count == 3)
        try file.change { (ring) throws(PushCryptError) in
            // As it would be 81 days later.
            ring = try KeyManagementTests.aged(ring, days: 81)
        }
        _ = try shell(setUp + parts[0])
        let promoted = try file.read()
        #expect(promoted.primary.key.publicKey == prepared.pending.first?.key.publicKey)
        #expect(promoted.pending.isEmpty)
        for _ in 1...2 { _ = try shell(setUp + command) }
        let after = try file.read()
        #expect(after.primary.key.publicKey == promoted.primary.key.publicKey)
        #expect(after.pending.count == 1 && after.retired.map(\.key.publicKey) == [first])
    }

    /// A keyring that was made so many days earlier.
    private static func aged(_ ring: Keyring<SigningKey>, days: Int) throws(PushCryptError) -> Keyring<SigningKey> {
        let text = try ring.exportWithPrivateKeys().read { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
        var aged = ""
        var rest = text[...]
        while let range = rest.range(of: #""created":"#) {
            aged += rest[..<range.upperBound]
            let digits = rest[range.upperBound...].prefix { $0.isNumber }
            aged += "\((Int(digits) ?? 0) - days * 24 * 3600)"
            rest = rest[digits.endIndex...]
        }
        let generation = "\"generation\":\(ring.generation)"
        let bytes = Array(
            (aged + rest).replacing(generation, with: "\"generation\":\(ring.generation + 1)").utf8)
        return try Keyring(parsing: bytes.span)
    }

    private func shell(_ script: String) throws -> String {
        let run = try Shell.run(script, in: folder)
        #expect(run.status == 0, "\(run.output)")
        return run.output
    }
}
