import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

/// Pushes that the app gets itself, and what it does with them.
@Suite(.ownThread) struct AppPushTests {
    private static let account = "user-7"

    /// A server that asks for a proof of each registration.
    private final class Server: Sendable {
        let key: SigningKey
        let proofs: ProofOfPossession
        let row = LockedValue<Recipient?>(nil)
        let pushes = LockedValue<[[UInt8]]>([])
        let requests = LockedValue(0)

        init() throws {
            key = try TestKeys.sender()
            proofs = ProofOfPossession(
                topic: "com.example.app",
                secrets: try ChallengeSecrets(parsing: String(repeating: "A", count: 43)),
                start: Date(), challengeLifetime: 3600)
        }

        func answer(_ request: RegistrationRequest) throws -> RegistrationResponse {
            requests.withLock { $0 += 1 }
            let row = row.withLock { $0 }
            switch try proofs.decide(
                request, account: account, replacing: row, others: [], at: Date())
            {
            case .accepted(let recipient):
                self.row.withLock { $0 = recipient }
                return .accepted(date: Date())
            case .challenged(let challenge):
                let sealer = Sealer(.signed(by: key), proofs: proofs.requirement)
                let push = try challenge.seal(with: sealer)
                pushes.withLock { $0.append(push.payload) }
                return .challenged(date: Date())
            }
        }
    }

    private let server: Server
    private let store = TestKeyringStore()
    private let scratch: Scratch
    private let inbox: PushInbox

    init() throws {
        server = try Server()
        scratch = try Scratch()
        let directory = scratch.path
        var configuration = PushConfiguration(
            keys: store, senderPolicy: .signed(by: server.key.publicKey))
        configuration.setSystemDefaults()
        configuration.directory = directory
        configuration.secrets = InMemorySecretsStore()
        configuration.registration.deviceID = { "device" }
        configuration.registration.directory = { _ in directory }
        inbox = PushInbox(configuration)
        #expect(inbox.prepare() == nil)
    }

    @discardableResult
    private func register() async throws -> KeyPreparation {
        let token = String(repeating: "0a", count: 32)
        return try await inbox.register(DeviceToken(token), account: Self.account) { [server] in
            try server.answer($0)
        }
    }

    /// Registers, and answers the challenge.
    private func registerWithProof() async throws {
        try await register()
        let challenge = try #require(server.pushes.withLock { $0.last })
        #expect(try await kind(dictionary(challenge)) == "asks")
        try await register()
        #expect(server.row.withLock { $0 } != nil)
    }

    private func dictionary(_ json: [UInt8]) throws -> [AnyHashable: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private func sealed(_ json: String, _ type: PushType) throws -> [AnyHashable: Any] {
        let key = try #require(store.stored).primary.key.publicKey
        let push = try Sealer(.signed(by: server.key)).seal(
            json: json.utf8, for: key, headers: APNsHeaders(type))
        return try dictionary(push.payload)
    }

    private func kind(_ userInfo: [AnyHashable: Any]) async throws -> String {
        switch try await inbox.open(userInfo) {
        case .message(let reader): String(decoding: reader.json, as: UTF8.self)
        case .asksToRegister: "asks"
        case .notification: "notification"
        }
    }

    private func failure(_ userInfo: [AnyHashable: Any]) async -> PushCryptError.Code? {
        do {
            _ = try await kind(userInfo)
            return nil
        } catch {
            return (error as? PushCryptError)?.code
        }
    }

    @Test("A message comes once, even to another inbox of the app") func messageComesOnce()
        async throws
    {
        try await registerWithProof()
        let json = #"{"aps":{"content-available":1},"sync":7}"#
        let userInfo = try sealed(json, .background)
        guard case .message(let reader) = try await inbox.open(userInfo) else {
            Issue.record("It isn't a message.")
            return
        }
        #expect(String(decoding: reader.json, as: UTF8.self) == json)
        #expect(reader.push?.account == "" && reader.push?.isAuthenticated == true)
        #expect(await failure(userInfo) == .replayed)
        let other = PushInbox(inbox.configuration)
        await #expect(throws: PushCryptError(.replayed, "")) { try await other.open(userInfo) }
        #expect(try await kind(sealed(json, .background)) == json)
    }

    @Test("An alert is the extension's, and isn't used up") func alertIsTheExtensions() async throws
    {
        try await registerWithProof()
        let userInfo = try sealed(#"{"aps":{"alert":"text"}}"#, .alert)
        for _ in 0..<2 { #expect(try await kind(userInfo) == "notification") }
        let shown = inbox.open(
            DeliveredNotification(content: NotificationContent(body: "f"), userInfo: userInfo))
        #expect(shown.content.body == "text" && !shown.outcome.isRepeated)
    }

    @Test("A challenge asks to register, and the next registration answers it")
    func challengeIsAnswered() async throws {
        #expect(try await register() == .created)
        #expect(server.row.withLock { $0 } == nil && server.requests.withLock { $0 } == 1)
        // While the challenge is on its way, the server isn't asked again.
        try await register()
        #expect(server.requests.withLock { $0 } == 1)
        let challenge = try dictionary(try #require(server.pushes.withLock { $0.last }))
        #expect(try await kind(challenge) == "asks")
        #expect(server.requests.withLock { $0 } == 1, "The app may not have its token yet.")
        #expect(try await register() == .unchanged)
        #expect(server.row.withLock { $0 } != nil && server.requests.withLock { $0 } == 2)
        try await register()
        #expect(server.requests.withLock { $0 } == 2)
        #expect(server.pushes.withLock { $0.count } == 1)
    }

    @Test("If the answer to a challenge fails, the next registration repeats it")
    func answerIsRepeated() async throws {
        try await register()
        let challenge = try dictionary(try #require(server.pushes.withLock { $0.last }))
        #expect(try await kind(challenge) == "asks")
        let token = String(repeating: "0a", count: 32)
        await #expect(throws: CocoaError.self) {
            try await inbox.register(DeviceToken(token), account: Self.account) { _ in
                throw CocoaError(.fileReadUnknown)
            }
        }
        try await register()
        #expect(server.row.withLock { $0 } != nil && server.requests.withLock { $0 } == 2)
    }

    @Test("A server's request asks to register, once an hour") func requestAsksToRegister()
        async throws
    {
        try await registerWithProof()
        let known = server.requests.withLock { $0 }
        let request: [AnyHashable: Any] = ["aps": ["content-available": 1]]
        #expect(try await kind(request) == "asks")
        #expect(server.requests.withLock { $0 } == known)
        try await register()
        #expect(server.requests.withLock { $0 } == known + 1)
        try await register()
        #expect(try await kind(request) == "asks")
        try await register()
        #expect(server.requests.withLock { $0 } == known + 1)
    }

    @Test("A push without content that asks for nothing, and one of another sender, are errors")
    func otherPushesAreErrors() async throws {
        try await registerWithProof()
        #expect(await failure(["aps": ["content-available": 1], "x": 1]) == .notSealed)
        let key = try #require(store.stored).primary.key.publicKey
        let forged = try Sealer(.signed(by: TestKeys.sender(.mallory))).seal(
            json: #"{"aps":{"content-available":1}}"#.utf8, for: key,
            headers: APNsHeaders(.background))
        #expect(try await failure(dictionary(forged.payload)) == .unknownSigner)
    }
}
