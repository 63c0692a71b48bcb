import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptKeyring

/// Registrations, proofs and keyrings of a service, and the tables and commands of the page about
/// keys.
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
            let lists: [String] = []
        }

        let records = LockedValue<[String: Recipient]>([:])
        let requests = LockedValue(0)

        func answer(_ registrationJSON: String, _ token: String) throws -> Answer {
            requests.withLock { $0 += 1 }
            return try records.withLock { records in
                do {
                    let others = records.values.filter { $0.deviceToken != token }
                    records[token] = try Self.record(
                        Array(registrationJSON.utf8), token, records[token], others)
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
                registration: Registration(parsing: registrationJSON), deviceToken: token,
                account: userID,
                replacing: known, others: others)
            return recipient
        }
    }

    private func inbox(_ policy: SenderPolicy) -> PushInbox {
        var configuration = PushConfiguration(
            keys: KeyringFileStore(path: keyringPath), senderPolicy: policy)
        configuration.directory = scratch.path
        configuration.secrets = SecretsFileStore(path: scratch.file("secrets"))
        configuration.registration = RegistrationSettings(
            deviceID: "vendor", directory: scratch.path)
        return PushInbox(configuration)
    }

    private func launch(_ server: Server, account userID: String = "anna") async throws {
        let roots = [try TestKeys.sender().publicKey]
        let token = Data(repeating: 0x0a, count: 32)
        @Sendable func send(_ request: RegistrationRequest) async throws -> Server.Answer {
            try server.answer(request.registration, request.deviceToken)
        }
        let inbox = inbox(.signed(by: roots))
        try await inbox.register(DeviceToken(token), account: userID) { request in
            let answer = try await send(request)
            if let known = answer.staleGeneration { return .stale(generation: known) }
            return .accepted(date: answer.date, signerLists: answer.lists)
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
        #expect(
            try opener.open(json: push.payload).payload == Array(#"{"aps":{"alert":"a"}}"#.utf8))
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

    /// Decides about a request as a server does.
    private static func decide(
        _ request: RegistrationRequest, _ secretPath: String, _ known: Recipient?, _ sealer: Sealer
    ) throws -> (saved: Recipient?, sent: SealedPush?) {
        let (userID, start, others): (String, Date, [Recipient]) = ("anna", Date(), [])
        var (saved, sent): (Recipient?, SealedPush?) = (nil, nil)
        func save(_ recipient: Recipient) throws { saved = recipient }
        func send(_ push: SealedPush, to token: String) throws { sent = push }
        let secrets = try ChallengeSecrets(contentsOf: secretPath)
        let proofs = ProofOfPossession(topic: "com.example.app", secrets: secrets, start: start)
        switch try proofs.decide(request, account: userID, replacing: known, others: others) {
        case .accepted(let recipient):
            try save(recipient)  // and answer 204
        case .challenged(let challenge):
            let alert = request.wantsVisibleChallenge ? Payload(body: "Open the app.").aps : nil
            // and answer 202
            try send(challenge.seal(with: sealer, displaying: alert), to: request.deviceToken)
        }
        return (saved, sent)
    }

    @Test("A device proves that its key and its token belong together")
    func deviceProvesItsRegistration() async throws {
        let secretPath = scratch.write(
            Array((String(repeating: "A", count: 43) + "\n").utf8), to: "challenge-secret")
        let sender = try TestKeys.sender()
        let inbox = inbox(.signed(by: sender.publicKey))
        let decisions = LockedValue<[(saved: Recipient?, sent: SealedPush?)]>([])
        let send: PushInbox.SendRegistration = { request in
            let decision = try Self.decide(request, secretPath, nil, Sealer(.signed(by: sender)))
            decisions.withLock { $0.append(decision) }
            return decision.saved == nil ? .challenged(date: Date()) : .accepted(date: Date())
        }
        let token = Data(repeating: 0x0a, count: 32)
        try await inbox.register(DeviceToken(token), account: "anna", with: send)
        let push = try #require(decisions.withLock { $0.first?.sent })
        let userInfo = try #require(
            try JSONSerialization.jsonObject(with: push.data) as? [AnyHashable: Any])
        #expect(push.headers.pushType == .background)
        guard case .asksToRegister = try await inbox.open(userInfo) else {
            throw CancellationError()
        }
        try await inbox.register(DeviceToken(token), account: "anna", with: send)
        #expect(
            decisions.withLock { $0.count } == 2
                && decisions.withLock { $0.last?.saved?.proved } != nil)
    }

    @Test("A service follows its mounted keyring")
    func serviceFollowsItsKeyring() throws {
        let (payload, device) = (
            Array(#"{"aps":{"alert":"a"}}"#.utf8), try TestKeys.device().publicKey
        )
        let first = try SigningKeyringFile(path: keyringPath).readOrCreate(at: Date())
        let push = try Self.seal(payload, device, keyringPath)
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: first.primary.key.publicKey))
        #expect(try opener.open(json: push.payload).payload == payload)
    }

    private static func seal(
        _ payload: [UInt8], _ device: RecipientPublicKey, _ keyringPath: String
    ) throws
        -> SealedPush
    {
        @Sendable func report(_ text: String) { Issue.record("\(text)") }
        let keys = try KeyringSource(SigningKeyringFile(path: keyringPath, isMounted: true)) {
            error in
            report("The old keys stay in use: \(error)")
        }
        let push = try Sealer(.signed(by: keys.keyring)).seal(json: payload, for: device)
        return push
    }

    @Test("A service stops if its keyring is deleted")
    func serviceStopsWithoutItsKeyring() throws {
        let reports = LockedValue<[String]>([])
        @Sendable func report(_ text: String) { reports.withLock { $0.append(text) } }
        let file = SigningKeyringFile(path: keyringPath)
        _ = try file.readOrCreate(at: Date())
        let keys = try KeyringSource(file, whenUnreadable: .fail) { error in
            report("No push is sealed: \(error)")
        }
        try FileManager.default.removeItem(atPath: keyringPath)
        // The next check of the file is a second later.
        #expect(eventually { (try? keys.keyring) == nil })
        #expect(throws: PushCryptError(.fileNotFound, "")) { try keys.keyring }
        #expect(reports.withLock { $0.first?.hasPrefix("No push is sealed: ") } == true)
    }

    @Test("The table has every state of a key, and its codes exist")
    func tableHasEveryState() throws {
        let rows = page.table("state | use | transition")
        #expect(rows.map(\.first) == ["`pending`", "`primary`", "`retired`", "destroyed"])
        #expect(rows.last?.last?.contains("lifetime and 48 hours") == true)
        #expect(KeyLifetime.clockTolerance == 48 * 3600)
        let codes = try Document("Docs/Diagnosis.md").text
        for row in page.table("situation | action") {
            for code in row[0].matches(of: /`([a-z-]+)`/) {
                #expect(codes.contains("|`\(code.output.1)`|"))
            }
        }
    }

    // MARK: Signing

    /// A service that signs with a key that the process doesn't have.
    private struct KeyService {
        let key: SigningKey

        func sign(_ message: [UInt8], algorithm: String) throws -> [UInt8] {
            try Signer(key).signature(of: message)
        }
    }

    private static func seal(_ payload: [UInt8], _ recipient: Recipient, _ keyring: SigningKeyring)
        throws
        -> SealedPush
    {
        let push = try Sealer(.signed(by: keyring)).seal(json: payload, for: recipient)
        return push
    }

    private static func seal(_ payload: [UInt8], _ recipient: Recipient, _ keyService: KeyService)
        throws
        -> SealedPush
    {
        let publicKey = keyService.key.publicKey
        let signer = Signer(publicKey: publicKey) { message in
            try keyService.sign(message, algorithm: "Ed25519")
        }
        let push = try Sealer(.signed(by: [signer])).seal(json: payload, for: recipient)
        return push
    }

    @Test("A retired key, or a service, signs for a device that accepts no other")
    func retiredKeySigns() throws {
        var keyring = try SigningKeyring(createdAt: Date())
        let first = keyring.primary.key
        try keyring.rotate(at: Date())
        let registration = Registration(
            key: try TestKeys.device().publicKey, generation: 1, created: Date(),
            signers: AcceptedSigners([first.publicKey]))
        let recipient = try Recipient(
            registration: registration, deviceToken: String(repeating: "0a", count: 32))
        let payload = Array(#"{"aps":{"alert":"a"}}"#.utf8)
        let opener = Opener(
            keys: InMemoryKeyStore([try TestKeys.device()]),
            senderPolicy: .signed(by: first.publicKey))
        for push in [
            try Self.seal(payload, recipient, keyring),
            try Self.seal(payload, recipient, KeyService(key: first)),
        ] { #expect(try opener.open(json: push.payload).payload == payload) }
    }

    // MARK: The tool

    /// The shell commands of the section about signing keys.
    private var commands: [String] { page.blocks("sh") }

    @Test("The schedule can run at any time")
    func scheduleRunsAtAnyTime() throws {
        let block = try #require(page.blocks("text").first { $0.contains(" push cd ") })
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].hasPrefix("PUSHCRYPT_KEYRING=/var/lib/pushcrypt/"))
        // Docs/Operating.md installs the tool into this directory.
        #expect(lines[1].hasPrefix("PATH=/usr/local/bin:"))
        // Five fields for the time, one for the user.
        let fields = try #require(lines.last).split(separator: " ", maxSplits: 6).map(String.init)
        #expect(fields[5] == "push")
        let parts = try #require(fields.last).components(separatedBy: " && ")
        #expect(parts.count == 5 && parts[0] == "cd /var/lib/pushcrypt")
        let command = parts.dropFirst().joined(separator: " && ")
        try shell("pushcrypt keygen --use sig")
        let file = SigningKeyringFile(path: scratch.file("server.jwks"))
        let first = try file.read().primary.key.publicKey
        for _ in 1...2 { try shell(command) }
        let prepared = try file.read()
        #expect(prepared.primary.key.publicKey == first && prepared.pending.count == 1)
        // 81 days later, and killed after the first part.
        try file.update { (ring) throws(PushCryptError) in ring = try Self.aged(ring, days: 81) }
        try shell(parts[1])
        let promoted = try file.read()
        #expect(promoted.primary.key.publicKey == prepared.pending.first?.key.publicKey)
        #expect(promoted.pending.isEmpty)
        for _ in 1...2 { try shell(command) }
        let after = try file.read()
        #expect(after.primary.key.publicKey == promoted.primary.key.publicKey)
        #expect(after.pending.count == 1 && after.retired.map(\.key.publicKey) == [first])
        #expect(try list("signers.jws", root: first).keys == after.keys.map(\.publicKey))
        let device = Registration(
            key: try TestKeys.device().publicKey, generation: 1, created: Date(),
            signers: AcceptedSigners([first]))
        try Data((device.json + "\n").utf8).write(
            to: URL(fileURLWithPath: scratch.file("devices.ndjson")))
        try shell(commands[1])
        #expect(try file.read().retired.count == 1)
    }

    @Test("The app pins the offline root first")
    func appPinsTheOfflineRootFirst() throws {
        try shell(commands[0].replacing("--bundle-id", with: "-o app --bundle-id"))
        let info = try String(contentsOfFile: scratch.file("app/App-Info.plist"), encoding: .utf8)
        let keys = try ["offline.jwks", "server.jwks"].map {
            try SigningKeyringFile(path: scratch.file($0)).read().primary.key.publicKey
        }
        let strings = keys.map { "<string>\(Base64URL.encode($0.rawRepresentation))</string>" }
        #expect(info.contains(try Regex("\(strings[0])\\s*\(strings[1])")))
    }

    @Test("The commands for the day of a leak remove the key from the list")
    func leakedKeysLeaveTheList() throws {
        try shell(commands[0].components(separatedBy: "\n").dropLast().joined(separator: "\n"))
        let file = SigningKeyringFile(path: scratch.file("server.jwks"))
        let first = try file.read().primary.key.publicKey
        try shell(
            "pushcrypt keygen --now && pushcrypt keys announce --root server.jwks -o signers.jws")
        try shell(commands[2])
        let rows = page.table(
            "step | a key that isn't the root | the server's file, or the online root")
        #expect(rows.count == 6)
        func run(_ row: Int, _ column: Int) throws {
            for match in rows[row][column].matches(of: /`(pushcrypt [^`]+)`/) {
                let leaked = try file.read().primary.key.publicKey.kid
                try shell(String(match.output.1).replacing("KEY", with: leaked))
            }
        }
        let leaked = try file.read().primary.key.publicKey
        try run(0, 1)
        #expect(try !list("signers.jws", root: first).keys.contains(leaked))
        try run(0, 2)
        try run(1, 2)
        let offline = try SigningKeyringFile(path: scratch.file("offline.jwks")).read().primary.key
            .publicKey
        #expect(try list("offline.jws", root: offline).keys == file.read().keys.map(\.publicKey))
        #expect(try file.read().keys.count == 2)
    }

    private func list(_ name: String, root: VerificationKey) throws -> SignerList {
        try SignerList(
            verifying: String(contentsOfFile: scratch.file(name), encoding: .utf8), roots: [root])
    }

    /// Returns a keyring as if it had been created so many days earlier.
    private static func aged(_ ring: SigningKeyring, days: Int) throws(PushCryptError)
        -> SigningKeyring
    {
        let text = try ring.exportWithPrivateKeys().withSpan { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
        let aged = text.replacing(#/"created":([0-9]+)/#) {
            "\"created\":\((Int($0.output.1) ?? 0) - days * 24 * 3600)"
        }
        .replacing(
            "\"generation\":\(ring.generation)", with: "\"generation\":\(ring.generation + 1)")
        let bytes = Array(aged.utf8)
        return try Keyring(parsing: bytes.span)
    }

    private func shell(_ command: String) throws {
        let run = try Shell.run(
            "export PUSHCRYPT_KEYRING=server.jwks\n" + command,
            in: URL(fileURLWithPath: scratch.path))
        #expect(run.status == 0, "\(run.output)")
    }
}
