import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// A device that registers with lists of accepted keys in the answers, and opens what the server
/// signs.
@Suite struct ListRegistrationTests {
    private let store = TestKeyringStore()
    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let root: SigningKey
    private let next: SigningKey
    private let token = [UInt8](repeating: 0x0a, count: 32)

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
        root = try TestKeys.sender()
        next = try SigningKey()
    }

    private var policy: SenderPolicy { .signed(by: root.publicKey) }

    private func registrar(_ policy: SenderPolicy? = nil) -> DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path,
            senderPolicy: policy ?? self.policy, time: time)
    }

    private func register(_ policy: SenderPolicy? = nil) async throws {
        try await registrar(policy).register(DeviceToken(token)) { [server] in
            try await server.register($0)
        }
    }

    private func code(_ body: () async throws -> Void) async -> PushCryptError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? PushCryptError)?.code ?? .other
        }
    }

    private func list(
        _ keys: [SigningKey], by signer: SigningKey? = nil, at offset: TimeInterval = 0,
        audience: String? = nil
    ) throws -> String {
        try SignerList(
            keys: keys.map(\.publicKey), issued: time.now + offset,
            expiration: time.now + offset + 86_400,
            audience: audience, signedBy: Signer(signer ?? root)
        ).text
    }

    private var row: Recipient? { server.recipients.values.first }

    private func open(_ signer: SigningKey, _ policy: SenderPolicy? = nil) throws -> PushCryptError
        .Code?
    {
        let device = try #require(store.stored).primary.key.publicKey
        let push = try Sealer(.signed(by: signer), time: time).seal(
            json: #"{"aps":{"alert":"a"}}"#, for: device)
        let opener = Opener(keys: store, senderPolicy: policy ?? self.policy, time: time)
        return errorCode { try opener.open(json: push.payload) }
    }

    // MARK: Without a list

    @Test("A registration tells the roots, which sign until there is a list") func rootsAlone()
        async throws
    {
        try await register()
        #expect(row?.signers?.kids == [root.publicKey.kid])
        #expect(try open(root) == nil && open(next) == .unknownSigner)
        #expect(server.requests.count == 1)
        try await register()
        #expect(server.requests.count == 1, "Nothing has changed.")
    }

    @Test("Without a policy, a registration tells nothing, and lists are ignored") func noPolicy()
        async throws
    {
        server.signerLists = [try list([next])]
        try await register(.anyone)
        #expect(
            row?.signers == nil && store.stored?.signerLists == [] && server.requests.count == 1)
    }

    @Test("An invalid policy is an error before anything is sent") func invalidPolicy() async {
        #expect(await code { try await register(.signed(by: "no key")) } == .malformedJWK)
        #expect(server.requests.isEmpty)
    }

    // MARK: With a list

    @Test("A list that changes the accepted keys is registered at once") func changedKeys()
        async throws
    {
        server.signerLists = [try list([root, next])]
        try await register()
        #expect(server.requests.count == 2)
        #expect(row?.signers?.kids == [root, next].map(\.publicKey.kid))
        #expect(try open(root) == nil && open(next) == nil)
        // A later list without the root revokes its messages.
        time.advance(by: 8 * 86_400)
        server.signerLists = [try list([next])]
        try await register()
        #expect(row?.signers?.kids == [next.publicKey.kid])
        #expect(try open(root) == .unknownSigner && open(next) == nil)
        let count = server.requests.count
        try await register()
        #expect(server.requests.count == count)
    }

    @Test("A list with the same keys isn't registered again") func sameKeys() async throws {
        server.signerLists = [try list([root])]
        try await register()
        #expect(server.requests.count == 1 && store.stored?.signerLists.count == 1)
    }

    @Test("If the second registration is lost, the next start repeats it") func lostRegistration()
        async throws
    {
        server.signerLists = [try list([next])]
        server.network(.working, .losingRequest)
        #expect(await code { try await register() } == .other)
        #expect(row?.signers?.kids == [root.publicKey.kid])
        #expect(try open(next) == nil)
        try await register()
        #expect(row?.signers?.kids == [next.publicKey.kid])
    }

    @Test("An old registration doesn't replace the accepted keys of a newer one")
    func lateRegistration() async throws {
        server.signerLists = [try list([next])]
        try await register()
        let first = try #require(server.requests.first)
        try server.arrive(first.json, first.token)
        #expect(row?.signers?.kids == [next.publicKey.kid])
    }

    @Test(
        "A list that breaks a rule is an error after the confirmation, and changes nothing",
        arguments: [
            "foreign", "expired", "audience", "stale", "conflict", "malformed", "signature",
        ])
    func brokenLists(_ kind: String) async throws {
        let good = try list([root], at: 1)
        server.signerLists = [good]
        try await register()
        time.advance(by: 8 * 86_400)
        let (text, expected): (String, PushCryptError.Code) =
            switch kind {
            case "foreign": (try list([next], by: next, at: 9), .unknownRoot)
            case "expired": (try list([next], at: -86_400), .expiredSignerList)
            case "audience": (try list([next], at: 9, audience: "staging"), .wrongAudience)
            case "stale": (try list([next], at: -8 * 86_400), .staleSignerList)
            case "conflict": (try list([next], at: 1 - 8 * 86_400), .conflictingSignerList)
            case "malformed": ("no list", .malformedSignerList)
            default:
                (String(good.dropLast(86)) + String(repeating: "A", count: 86), .invalidSignature)
            }
        server.signerLists = [text]
        #expect(await code { try await register() } == expected)
        #expect(store.stored?.signerLists == [good] && row?.signers?.kids == [root.publicKey.kid])
        #expect(row?.registered == time.now, "The registration is confirmed.")
    }

    @Test("The list of an unknown root beside a valid list is for another release of the app")
    func twoLists() async throws {
        server.signerLists = [try list([next], by: next), try list([root, next])]
        try await register()
        #expect(row?.signers?.kids == [root, next].map(\.publicKey.kid))
        // After an update that pins the other root first, its list decides.
        time.advance(by: 60)
        let updated = SenderPolicy.signed(by: [next.publicKey, root.publicKey])
        try await register(updated)
        #expect(row?.signers?.kids == [next.publicKey.kid])
        #expect(try open(root, updated) == .unknownSigner && open(next, updated) == nil)
    }

    @Test("The audience is pinned beside the roots") func audience() async throws {
        let pinned = SenderPolicy.signed(by: [root.publicKey], audience: "staging")
        server.signerLists = [try list([next], audience: "staging")]
        try await register(pinned)
        #expect(row?.signers?.kids == [next.publicKey.kid])
        #expect(try open(next, pinned) == nil)
    }

    @Test("A store whose lists can't be read opens nothing") func unreadableLists() async throws {
        try await register()
        let device = try #require(store.stored).primary.key
        let push = try Sealer(.signed(by: root), time: time).seal(
            json: #"{"aps":{"alert":"a"}}"#, for: device.publicKey)
        struct Store: KeyStore {
            let key: RecipientPrivateKey
            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey { key }
            func signerLists() throws -> [String] {
                throw PushCryptError(.deviceLocked, "The device is locked.")
            }
        }
        let opener = Opener(keys: Store(key: device), senderPolicy: policy, time: time)
        #expect(errorCode { try opener.open(json: push.payload) } == .deviceLocked)
    }

    // MARK: Faults

    /// A store whose update of one number fails, as if the app had been killed before it.
    private final class FailingStore: KeyringStore {
        let store = TestKeyringStore()
        private let updates = LockedValue(0)
        private let failing: Int

        init(failing: Int) { self.failing = failing }

        func keyring() throws -> DeviceKeyring? { try store.keyring() }

        func deleteKeyring() throws { try store.deleteKeyring() }

        func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
            let number = updates.withLock { number in
                number += 1
                return number
            }
            if number == failing { throw PushCryptError(.deviceLocked, "The device is locked.") }
            try store.update(change)
        }
    }

    @Test("If the lists can't be stored, the next start asks for them again", arguments: 1...3)
    func storeFails(update: Int) async throws {
        let store = FailingStore(failing: update)
        let registrar = DeviceRegistrar(
            store: store, deviceID: "device", directory: folder.path, senderPolicy: policy,
            time: time)
        func start() async throws {
            try await registrar.register(DeviceToken(token)) { [server] in
                try await server.register($0)
            }
        }
        server.signerLists = [try list([next])]
        #expect(await code { try await start() } == .deviceLocked)
        try await start()
        #expect(store.store.stored?.signerLists == server.signerLists)
        #expect(row?.signers?.kids == [next.publicKey.kid])
    }

    @Test("A root that is pinned twice is one root") func sameRootTwice() async throws {
        try await register(.signed(by: root.publicKey, root.publicKey))
        #expect(row?.signers?.kids == [root.publicKey.kid])
    }

    @Test("A list with the line break of its file is stored without it") func lineBreak()
        async throws
    {
        let text = try list([next])
        server.signerLists = [text + "\n"]
        try await register()
        #expect(store.stored?.signerLists == [text] && row?.signers?.kids == [next.publicKey.kid])
    }

    @Test("With a damaged list nothing opens until the next answer replaces it") func damagedList()
        async throws
    {
        server.signerLists = [try list([next])]
        try await register()
        let damaged =
            String(try #require(store.stored?.signerLists.first).dropLast(86))
            + String(repeating: "A", count: 86)
        let json = try #require(store.stored).exportWithPrivateKeys()
        let text = json.withSpan { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
        let changed = Array(text.replacing(server.signerLists[0], with: damaged).utf8)
        try store.deleteKeyring()
        let keyring = try DeviceKeyring(parsing: changed.span)
        try store.update { $0 = keyring }
        #expect(try open(root) == .invalidSignature && open(next) == .invalidSignature)
        server.network(.losingRequest)
        #expect(await code { try await register() } == .other, "The server is asked.")
        #expect(
            store.stored?.signerLists == [damaged]
                && store.stored?.signers?.kids == [next.publicKey.kid])
        try await register()
        #expect(try open(root) == .unknownSigner && open(next) == nil)
    }

    @Test("If the answer to other roots is lost, the roots of before are registered again")
    func lostAnswer()
        async throws
    {
        try await register()
        let other = SenderPolicy.signed(by: next.publicKey)
        server.network(.losingAnswer)
        #expect(await code { try await register(other) } == .other)
        #expect(row?.signers?.kids == [next.publicKey.kid])
        try await register()
        #expect(row?.signers?.kids == [root.publicKey.kid])
    }
}
