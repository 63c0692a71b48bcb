import Foundation
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// The code and the schedule of the page about keys.
@Suite(.ownThread) struct KeyManagementTests {
    private let page: Document
    private let scratch: Scratch
    private var keyringPath: String { scratch.file("device.jwks") }

    init() throws {
        page = try Document("Docs/KeyManagement.md")
        scratch = try Scratch()
    }

    // MARK: Code

    /// A server with one record per device token.
    private final class Server: Sendable {
        struct Answer {
            let date: Date
            let staleGeneration: UInt64?
        }

        let records = LockedValue<[String: Recipient]>([:])
        let requests = LockedValue(0)

        func answer(_ registrationJSON: String, _ token: String) throws -> Answer {
            requests.withLock { $0 += 1 }
            return try records.withLock { records in
                do {
                    let others = records.values.filter { $0.deviceToken != token }
                    records[token] = try Self.record(Array(registrationJSON.utf8), token, records[token], others)
                    return Answer(date: Date(), staleGeneration: nil)
                } catch let error as PushCryptError where error.staleGeneration != nil {
                    return Answer(date: Date(), staleGeneration: error.staleGeneration)
                }
            }
        }

        private static let userID = "anna"

        private static func record(
            _ registrationJSON: [UInt8], _ token: String, _ known: Recipient?, _ others: [Recipient]
        ) throws -> Recipient {
            let recipient = try Recipient(
                registration: Registration(parsing: registrationJSON), deviceToken: token, account: userID,
                replacing: known, others: others)
            return recipient
        }
    }

    private func launch(_ server: Server, account userID: String = "anna") async throws {
        let (vendorID, directory) = ("vendor", scratch.path)
        let token = Data(repeating: 0x0a, count: 32)
        @Sendable func send(_ registration: String, _ token: String) async throws -> Server.Answer {
            try server.answer(registration, token)
        }
        let registrar = DeviceRegistrar(
            store: KeyringFileStore(path: keyringPath), deviceID: vendorID, directory: directory, account: userID)
        try await registrar.register(deviceToken: token) { registration, token in
            let answer = try await send(registration, token)
            if let known = answer.staleGeneration { return .stale(generation: known) }
            return .accepted(date: answer.date)
        }
    }

    @Test("One call registers what the server doesn't know")
    func registrarCallsTheServerIfNecessary() async throws {
        let server = Server()
        for _ in 1...2 { try await launch(server) }
        #expect(server.requests.withLock { $0 } == 1)
        let token = String(repeating: "0a", count: 32)
        let first = try #require(server.records.withLock { $0[token] })
        let push = try Sealer(.anonymous).seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: first.key)
        let opener = Opener(keys: KeyringFileStore(path: keyringPath), senderPolicy: .anyone)
        #expect(try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
        try await launch(server, account: "berta")
        #expect(server.requests.withLock { $0 } == 2)
        // A new installation, whose old token the server knows with a later generation.
        try FileManager.default.removeItem(atPath: keyringPath)
        try FileManager.default.removeItem(atPath: scratch.file("pushcrypt.device"))
        try await launch(server, account: "berta")
        #expect(server.requests.withLock { $0 } == 4)
        let key = try KeyringFileStore(path: keyringPath).keyring()?.primary.key.publicKey
        #expect(server.records.withLock { $0[token]?.key } == key)
    }

    @Test("A service follows its mounted keyring")
    func serviceFollowsItsKeyring() throws {
        let (payload, device) = (Array(#"{"aps":{"alert":"a"}}"#.utf8), try TestKeys.device().publicKey)
        let first = try KeyringFile<SigningKey>(path: keyringPath).readOrCreate(at: Date())
        let push = try Self.seal(payload, device, keyringPath)
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]), senderPolicy: .signed(by: first.primary.key.publicKey))
        #expect(try opener.open(json: push.payload).payload == payload)
    }

    private static func seal(_ payload: [UInt8], _ device: RecipientPublicKey, _ keyringPath: String) throws
        -> SealedPush
    {
        @Sendable func report(_ text: String) { Issue.record("\(text)") }
        let keys = try KeyringSource(KeyringFile<SigningKey>(path: keyringPath, isMounted: true)) { error in
            report("The old keys stay in use: \(error)")
        }
        let push = try Sealer(.signed(by: keys.primaryKey)).seal(json: payload, for: device)
        return push
    }

    @Test("A service stops if its keyring is deleted, as the page writes it")
    func serviceStopsWithoutItsKeyring() throws {
        let reports = LockedValue<[String]>([])
        @Sendable func report(_ text: String) { reports.withLock { $0.append(text) } }
        let file = KeyringFile<SigningKey>(path: keyringPath)
        _ = try file.readOrCreate(at: Date())
        let keys = try KeyringSource(file, whenUnreadable: .fail) { error in
            report("No push is sealed: \(error)")
        }
        try FileManager.default.removeItem(atPath: keyringPath)
        // The next check of the file is a second later.
        #expect(eventually { (try? keys.primaryKey) == nil })
        #expect(throws: PushCryptError(.fileNotFound, "")) { try keys.primaryKey }
        #expect(reports.withLock { $0.first?.hasPrefix("No push is sealed: ") } == true)
    }

    @Test("The table has every state of a key, and its codes exist")
    func tableHasEveryState() throws {
        let rows = page.table("state | use | transition")
        #expect(rows.map(\.first) == ["`pending`", "`primary`", "`retired`", "destroyed"])
        #expect(rows.last?.last?.contains("lifetime and 48 hours") == true)
        #expect(KeyLifetime.clockTolerance == 48 * 3600)
        let codes = try Document("Docs/Errors.md").text
        for row in page.table("situation | action") {
            for code in row[0].matches(of: /`([a-z-]+)`/) { #expect(codes.contains("|`\(code.output.1)`|")) }
        }
    }

    // MARK: The tool

    @Test("The schedule can run at any time")
    func scheduleRunsAtAnyTime() throws {
        let block = try #require(page.blocks("text").first { $0.contains(" push pushcrypt ") })
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].hasPrefix("PUSHCRYPT_KEYRING="))
        // Docs/Install.md installs the tool into this directory.
        #expect(lines[1].hasPrefix("PATH=/usr/local/bin:"))
        // Five fields for the time, one for the user.
        let fields = try #require(lines.last).split(separator: " ", maxSplits: 6).map(String.init)
        #expect(fields[5] == "push")
        let command = try #require(fields.last)
        let parts = command.components(separatedBy: " && ")
        #expect(parts.count == 3)
        try shell("pushcrypt keygen --use sig")
        let file = KeyringFile<SigningKey>(path: scratch.file("server.jwks"))
        let first = try file.read().primary.key.publicKey
        for _ in 1...2 { try shell(command) }
        let prepared = try file.read()
        #expect(prepared.primary.key.publicKey == first && prepared.pending.count == 1)
        // 81 days later, and killed after the first part.
        try file.update { (ring) throws(PushCryptError) in ring = try Self.aged(ring, days: 81) }
        try shell(parts[0])
        let promoted = try file.read()
        #expect(promoted.primary.key.publicKey == prepared.pending.first?.key.publicKey)
        #expect(promoted.pending.isEmpty)
        for _ in 1...2 { try shell(command) }
        let after = try file.read()
        #expect(after.primary.key.publicKey == promoted.primary.key.publicKey)
        #expect(after.pending.count == 1 && after.retired.map(\.key.publicKey) == [first])
    }

    @Test("The app gets the pending key, too")
    func appGetsAllKeys() throws {
        let block = try #require(page.blocks("sh").first)
        try shell("pushcrypt keygen --use sig\n" + block.replacing("--signed-by", with: "-o app --signed-by"))
        let ring = try KeyringFile<SigningKey>(path: scratch.file("server.jwks")).read()
        let info = try String(contentsOfFile: scratch.file("app/App-Info.plist"), encoding: .utf8)
        #expect(ring.keys.count == 2)
        for key in ring.keys {
            #expect(info.contains("<string>\(Base64URL.encode(key.publicKey.rawRepresentation))</string>"))
        }
    }

    /// Returns a keyring as if it had been created so many days earlier.
    private static func aged(_ ring: Keyring<SigningKey>, days: Int) throws(PushCryptError) -> Keyring<SigningKey> {
        let text = try ring.exportWithPrivateKeys().withSpan { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
        let aged = text.replacing(#/"created":([0-9]+)/#) {
            "\"created\":\((Int($0.output.1) ?? 0) - days * 24 * 3600)"
        }
        .replacing("\"generation\":\(ring.generation)", with: "\"generation\":\(ring.generation + 1)")
        let bytes = Array(aged.utf8)
        return try Keyring(parsing: bytes.span)
    }

    private func shell(_ command: String) throws {
        let run = try Shell.run(
            "export PUSHCRYPT_KEYRING=server.jwks\n" + command, in: URL(fileURLWithPath: scratch.path))
        #expect(run.status == 0, "\(run.output)")
    }
}
