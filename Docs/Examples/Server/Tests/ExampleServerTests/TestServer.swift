import Foundation
import Hummingbird
import HummingbirdTesting
import PushCryptTesting
import Testing

@testable import ExampleServer

/// A directory with the settings, the keyring and the database of a server, which can run several
/// times.
struct TestServer {
    let directory: String
    let settings: Settings
    let clock = TestClock(Date())

    init(hasProofs: Bool = false) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appendingPathComponent("settings.json")
        let secret = directory.appendingPathComponent("challenge-secret")
        try Data(String(repeating: "A", count: 43).utf8).write(to: secret)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
        let proofs = #""proofs": {"secret": "\#(secret.path)", "since": "2026-01-01T00:00:00Z"},"#
        try Data(
            """
            {\(hasProofs ? proofs : "") "port": 0, "database": "\(directory.path)/server.sqlite", \
            "keyring": "\(directory.path)/server.jwks",
            "signerLists": "\(directory.path)/signers.jws", "topic": "com.example.app", \
            "operatorToken": "operator-secret", "p8": "", "keyID": "", "teamID": "",
            "userTokens": {"anna": "annas-secret", "ben": "bens-secret"}}
            """.utf8
        ).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        self.directory = directory.path
        settings = try Settings(path: file.path)
    }

    /// The key that devices accept.
    var signingKey: VerificationKey {
        get throws { try keyring.read().primary.key.publicKey }
    }

    /// The keyring, which a start of the server has created.
    var keyring: SigningKeyringFile { KeyringFile(path: settings.keyring) }

    /// Announces the keyring's keys as the operator does, and returns the list.
    @discardableResult
    func announce(signedBy root: SigningKey, after previous: SignerList? = nil) throws -> SignerList
    {
        let now = clock.now
        let list = try SignerList(
            keys: keyring.read().keys.map(\.publicKey), after: previous, issued: now,
            expiration: now + 3600,
            signedBy: Signer(root))
        try handOut([list.text])
        return list
    }

    /// Replaces the file with the lists.
    func handOut(_ lists: [String]) throws {
        let path = settings.signerLists ?? ""
        try Data((lists.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }

    /// The times of a server that retries after a pause on the test's clock.
    func timing(pause: TimeInterval = 0, tidying: Duration = .seconds(3600)) -> Timing {
        let clock = clock
        return Timing(
            retry: pause, longestRetry: pause, poll: .milliseconds(10), tidying: tidying,
            now: { clock.now })
    }

    /// The database, without a server.
    func store() throws -> Store { try Store(path: settings.database) }

    /// Runs the server on a socket, and stops it when the test returns.
    func run(
        _ apns: FakeAPNs = FakeAPNs(), pause: TimeInterval = 0, tidying: Duration = .seconds(3600),
        _ test: @Sendable @escaping (Client) async throws -> Void
    ) async throws {
        try await ExampleServer.application(
            settings, apns, timing: timing(pause: pause, tidying: tidying)
        )
        .test(.ahc(.http)) { try await test(Client(client: $0)) }
    }
}

/// The requests of devices and of the operator.
struct Client: Sendable {
    let client: any TestClientProtocol

    func request(
        _ method: HTTPRequest.Method, _ uri: String, as token: String? = nil, _ body: String = ""
    ) async throws -> TestResponse {
        try await client.execute(
            uri: uri, method: method,
            headers: token.map { [.authorization: "Bearer \($0)"] } ?? [:],
            body: ByteBuffer(string: body))
    }

    func register(_ registration: String, _ deviceToken: String, as token: String) async throws
        -> TestResponse
    {
        let body = try JSONEncoder().encode(["token": deviceToken, "registration": registration])
        return try await request(
            .post, "/registrations", as: token, String(decoding: body, as: UTF8.self))
    }

    func post(_ payload: String, to user: String = "anna", id: UUID = UUID()) async throws
        -> TestResponse
    {
        try await request(.post, "/messages?user=\(user)&id=\(id)", as: "operator-secret", payload)
    }

    /// Returns the number of devices for which a message is sealed.
    func devices(of user: String = "anna") async throws -> Int? {
        try await post(#"{"aps":{"alert":"count"}}"#, to: user).number("devices")
    }

    func health(as token: String = "operator-secret") async throws -> TestResponse {
        try await request(.get, "/health", as: token)
    }

    /// Waits until the outbox has a number of waiting pushes.
    func settle(waiting: Int = 0) async throws {
        for _ in 0..<6000 {
            if try await health().number("waiting") == waiting { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("Pushes still wait.")
    }
}

extension TestResponse {
    func number(_ name: String) throws -> Int? {
        try JSONDecoder().decode([String: Int].self, from: Data(body.readableBytesView))[name]
    }

    /// The lists of accepted keys in the answer to a registration.
    func lists() throws -> [String] {
        guard [.ok, .accepted].contains(status) else { return [] }
        return try JSONDecoder().decode(
            [String: [String]].self, from: Data(body.readableBytesView))["lists"] ?? []
    }
}

/// A device with its keys, which registers as the app does.
struct Device: Sendable {
    let keys: TestKeyringStore
    let deviceToken: String
    private let token: DeviceToken
    private let account: String
    private let inbox: PushInbox
    private let senderPolicy: SenderPolicy

    init(
        _ byte: UInt8, keys: TestKeyringStore = TestKeyringStore(), account: String = "anna",
        senderPolicy: SenderPolicy = .anyone
    ) throws {
        self.keys = keys
        self.account = account
        self.senderPolicy = senderPolicy
        let bytes = [UInt8](repeating: byte, count: 32)
        token = DeviceToken(bytes)
        deviceToken = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let own = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        var configuration = PushConfiguration(keys: keys, senderPolicy: senderPolicy)
        configuration.directory = own.path
        configuration.registration = RegistrationSettings(deviceID: "vendor", directory: own.path)
        inbox = PushInbox(configuration)
    }

    func register(with client: Client, as session: String = "annas-secret") async throws {
        try await inbox.register(token, account: account) {
            try await Self.send($0, client, session)
        }
    }

    /// Registers if a push asks for it, and returns whether it does.
    func register(
        ifAskedBy sent: FakeAPNs.Sent, with client: Client, as session: String = "annas-secret"
    ) async throws -> Bool {
        let json = try JSONSerialization.jsonObject(with: Data(sent.payload))
        guard let userInfo = json as? [AnyHashable: Any],
            case .asksToRegister = try await inbox.open(userInfo)
        else {
            return false
        }
        try await register(with: client, as: session)
        return true
    }

    /// Replaces the key.
    func renew(with client: Client, as session: String = "annas-secret") async throws {
        try await inbox.renew(token, account: account) { try await Self.send($0, client, session) }
    }

    func primaryKey() throws -> RecipientPrivateKey {
        let keyring = try keys.keyring()
        return try #require(keyring).primary.key
    }

    /// Returns the registration that the device would send.
    func registration() async throws -> String {
        struct Stop: Error { let registration: String }
        do {
            try await inbox.renew(token, account: account) { request in
                throw Stop(registration: request.registration)
            }
        } catch let stop as Stop {
            return stop.registration
        }
        throw CancellationError()
    }

    /// Opens a push with the device's own policy.
    func open(_ sent: FakeAPNs.Sent) throws -> OpenedPush {
        try Opener(keys: keys, senderPolicy: senderPolicy).open(json: sent.payload)
    }

    /// Returns the original of a push.
    func open(_ sent: FakeAPNs.Sent, signedBy key: VerificationKey) throws -> String {
        let push = try Opener(keys: keys, senderPolicy: .signed(by: key)).open(json: sent.payload)
        return String(decoding: push.payload, as: UTF8.self)
    }

    private static func send(
        _ request: RegistrationRequest, _ client: Client, _ token: String
    ) async throws -> RegistrationResponse {
        let response = try await client.request(.post, "/registrations", as: token, request.json)
        switch response.status {
        case .accepted:
            return .challenged(date: nil, signerLists: try response.lists())
        case .ok, .noContent:
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
            let date = try #require(response.headers[.date])
            return .accepted(date: formatter.date(from: date), signerLists: try response.lists())
        case .conflict:
            let generation = try response.number("generation")
            return .stale(generation: UInt64(try #require(generation)))
        default:
            throw HTTPError(response.status)
        }
    }
}
