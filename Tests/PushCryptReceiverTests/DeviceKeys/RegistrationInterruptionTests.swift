import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Each point of a conversation at which the app can end: before a state is stored, between its two
/// parts, after it, and before and after the server gets the request.
@Suite struct RegistrationInterruptionTests {
    /// A conversation that is interrupted.
    enum Conversation: CaseIterable, Sendable {
        case first, rotation, weekly, otherToken, renewal, restored, stale, list, asked
    }

    /// A point of an access to the stored state.
    enum Point: CaseIterable, Sendable {
        case beforeStoring, betweenTheParts, afterStoring
    }

    /// A place of an interruption.
    struct Place: Sendable, CustomTestStringConvertible {
        let conversation: Conversation
        let point: Point
        let access: Int

        var testDescription: String { "\(conversation), \(point) of access \(access)" }
    }

    struct Killed: Error {}

    /// A store on whose access the app ends.
    private final class KilledStore: KeyringStore {
        let inner = TestKeyringStore()
        let directory: String
        private let left = LockedValue<(access: Int, point: Point)?>(nil)

        init(directory: String) { self.directory = directory }

        func kill(_ point: Point, ofAccess number: Int) { left.withLock { $0 = (number, point) } }
        func keyring() throws -> DeviceKeyring? { try inner.keyring() }
        func deleteKeyring() throws { try inner.deleteKeyring() }

        /// A Boolean value that indicates whether the app has ended.
        var isKilled: Bool { left.withLock { $0.map { $0.access <= 0 } ?? false } }

        func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
            let point = left.withLock { left -> Point? in
                left?.access -= 1
                return left.flatMap { $0.access == 0 ? $0.point : nil }
            }
            switch point {
            case .beforeStoring?:
                try inner.update { (keyring) throws(PushCryptError) in
                    var copy = keyring
                    try change(&copy)
                }
                throw Killed()
            case .betweenTheParts?:
                try inner.update(change)
                throw Killed()
            default: try inner.update(change)
            }
        }
    }

    private static let day: TimeInterval = 86_400
    private let time = TestClock()
    private let folder: RegistrationStateDirectory
    private let server: RegistrationServer
    private let store: KilledStore
    private let root: SigningKey
    private let first = [UInt8](repeating: 0x0A, count: 32)

    init() throws {
        folder = try RegistrationStateDirectory()
        server = RegistrationServer(time: time)
        store = KilledStore(directory: folder.path)
        root = try TestKeys.sender()
    }

    private func registrar(device: String = "device") -> DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: device, directory: folder.path,
            senderPolicy: .signed(by: root.publicKey),
            time: time)
    }

    /// Registers; the closure ends the app before the server is asked, or after it has answered.
    private func register(
        _ conversation: Conversation?, killsBefore: Bool = false, killsAfter: Bool = false
    ) async throws {
        let (server, store) = (server, store)
        let send: PushInbox.SendRegistration = { request in
            if killsBefore || store.isKilled { throw Killed() }
            let answer = try await server.register(request)
            if killsAfter { throw Killed() }
            return answer
        }
        let registrar = registrar(device: conversation == .restored ? "other" : "device")
        let token = DeviceToken(
            conversation == .otherToken ? [UInt8](repeating: 0x0B, count: 32) : first)
        switch conversation {
        case .renewal: try await registrar.renew(token, with: send)
        case .asked: _ = try await registrar.register(ifAskedBy: .request, token, with: send)
        default: try await registrar.register(token, with: send)
        }
    }

    /// Prepares the state in which a conversation begins.
    private func prepare(_ conversation: Conversation) async throws {
        if conversation == .first { return }
        try await register(nil)
        switch conversation {
        case .rotation:
            for _ in 1...6 {
                time.advance(by: Self.day)
                _ = try registrar().keys().prepare()
            }
        case .weekly: time.advance(by: 8 * Self.day)
        case .stale:
            try server.arrive(
                Registration(key: TestKeys.device().publicKey, generation: 40, created: time.now)
                    .json,
                hexadecimal(first))
            time.advance(by: 8 * Self.day)
        case .list:
            let keys = [root.publicKey, try TestKeys.sender(.mallory).publicKey]
            server.signerLists = [
                try SignerList(
                    keys: keys, issued: time.now, expiration: time.now + 90 * Self.day,
                    signedBy: Signer(root)
                )
                .text
            ]
            time.advance(by: 8 * Self.day)
        default: break
        }
    }

    /// Expects that the next launch agrees with the server, and that another one sends nothing.
    private func expectAgreement(_ conversation: Conversation) async throws {
        let known = server.recipients.values.map(\.key.keyID)
        if conversation != .stale {
            for id in known {
                #expect(
                    (try? store.recipientKey(id)) != nil, "The device opens what the server sends.")
            }
        }
        // A renewal or a request that was interrupted goes on at a launch.
        let next: Conversation? = [.renewal, .asked].contains(conversation) ? nil : conversation
        try await register(next)
        let token = conversation == .otherToken ? [UInt8](repeating: 0x0B, count: 32) : first
        let ring = try #require(store.inner.stored)
        #expect(server.recipients[hexadecimal(token)]?.key == ring.primary.key.publicKey)
        #expect(ring.pending.isEmpty && ring.keys.count <= 4)
        let count = server.requests.count
        try await register(next)
        #expect(server.requests.count == count)
    }

    static let places: [Place] = Conversation.allCases.flatMap { conversation in
        Point.allCases.flatMap { point in
            (1...4).map { Place(conversation: conversation, point: point, access: $0) }
        }
    }

    @Test("An interruption at each access to the stored state loses nothing", arguments: places)
    func access(_ place: Place) async throws {
        try await prepare(place.conversation)
        store.kill(place.point, ofAccess: place.access)
        _ = try? await register(place.conversation)
        store.kill(.beforeStoring, ofAccess: .max)
        try await expectAgreement(place.conversation)
    }

    @Test(
        "An interruption before and after the server gets the request loses nothing",
        arguments: Conversation.allCases,
        [true, false])
    func request(_ conversation: Conversation, isBefore: Bool) async throws {
        try await prepare(conversation)
        _ = try? await register(conversation, killsBefore: isBefore, killsAfter: !isBefore)
        try await expectAgreement(conversation)
    }

    @Test("The name of a new installation is stored before a keyring that belongs to it")
    func nameComesFirst()
        async throws
    {
        store.kill(.betweenTheParts, ofAccess: 1)
        _ = try? await register(.first)
        store.kill(.beforeStoring, ofAccess: .max)
        let key = try #require(store.inner.stored).primary.key.publicKey
        let preparation = try await registrar().register(DeviceToken(first)) { [server] in
            try await server.register($0)
        }
        #expect(preparation == .unchanged && store.inner.stored?.keys.map(\.publicKey) == [key])
    }

    @Test("A push's request to register survives an interruption") func requestIsntLost()
        async throws
    {
        try await register(nil)
        time.advance(by: 7200)
        store.kill(.betweenTheParts, ofAccess: 1)
        _ = try? await register(.asked)
        store.kill(.beforeStoring, ofAccess: .max)
        let before = server.requests.count
        try await register(nil)
        #expect(server.requests.count == before + 1)
    }

    @Test("A key that the store loses isn't registered") func lostKey() async throws {
        let lost = LosingStore()
        let registrar = DeviceRegistrar(
            store: lost, deviceID: "device", directory: folder.path, senderPolicy: .anyone,
            time: time)
        await #expect(throws: PushCryptError(.unknownKey, "")) {
            try await registrar.register(DeviceToken(first)) { [server] in
                try await server.register($0)
            }
        }
        #expect(server.requests.isEmpty)
    }

    /// A store that forgets what it stores, without an error.
    private struct LosingStore: KeyringStore {
        func keyring() throws -> DeviceKeyring? { nil }
        func update(_ change: (inout DeviceKeyring?) throws(PushCryptError) -> Void) throws {
            var keyring: DeviceKeyring?
            try change(&keyring)
        }
        func deleteKeyring() throws {}
    }
}
