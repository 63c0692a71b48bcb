import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The one way in which an app registers: failures that are repeated, users who sign out, and
/// challenges that come twice.
@Suite struct InboxRegistrationTests {
    private struct Offline: Error {}

    private let time = TestClock()
    private let store = TestKeyringStore()
    private let folder: RegistrationStateDirectory
    private let server: ProofServer
    private let inbox: PushInbox
    private let requests = LockedValue<[RegistrationRequest]>([])
    private let token = DeviceToken([UInt8](repeating: 0xAB, count: 32))

    init() throws {
        folder = try RegistrationStateDirectory()
        let signer = try TestKeys.sender()
        server = ProofServer(time: time, signer: signer)
        var configuration = PushConfiguration(
            keys: store, senderPolicy: .signed(by: signer.publicKey))
        configuration.directory = folder.path
        configuration.secrets = InMemorySecretsStore()
        configuration.registration = RegistrationSettings(
            deviceID: "device", directory: folder.path)
        inbox = PushInbox(configuration, clock: time)
        if let error = inbox.prepare() { throw error }
    }

    private var send: PushInbox.SendRegistration {
        { [server, requests] request in
            requests.withLock { $0.append(request) }
            return try server.receive(request, account: "anna")
        }
    }

    private var count: Int { requests.withLock { $0.count } }

    /// Delivers the server's pushes to the app.
    private func deliver() async throws {
        for push in server.takePushes() {
            let json = try JSONSerialization.jsonObject(with: Data(push.payload))
            let userInfo = try #require(json as? [AnyHashable: Any])
            guard case .asksToRegister = try await inbox.open(userInfo) else {
                throw CancellationError()
            }
        }
    }

    @Test("A user who signs out during a request gets no keys again", arguments: [true, false])
    func signingOut(isAnswered: Bool) async throws {
        await #expect(throws: (any Error).self) {
            try await inbox.register(token, account: "anna") { [inbox, requests, time] request in
                requests.withLock { $0.append(request) }
                try await inbox.removeAccount()
                if isAnswered { return .accepted(date: time.now) }
                throw Offline()
            }
        }
        #expect(store.stored == nil && count == 1)
        await inbox.registerAgain()
        #expect(store.stored == nil && count == 1, "No repetition is left.")
    }

    @Test("A user who signs out while a proof is refused gets no keys again")
    func signingOutDuringAProof() async throws {
        try await inbox.register(token, account: "anna", with: send)
        try await deliver()
        await #expect(throws: PushCryptError(.unknownKey, "")) {
            try await inbox.register(token, account: "anna") { [inbox, requests] request in
                requests.withLock { $0.append(request) }
                try await inbox.removeAccount()
                throw Offline()
            }
        }
        #expect(store.stored == nil && count == 2)
    }

    @Test("A registration that failed before the user has signed out isn't repeated")
    func signedOut() async throws {
        await #expect(throws: Offline.self) {
            try await inbox.register(token, account: "anna") { [requests] request in
                requests.withLock { $0.append(request) }
                throw Offline()
            }
        }
        try await inbox.removeAccount()
        await inbox.registerAgain()
        #expect(store.stored == nil && count == 1)
        try await inbox.register(token, account: "anna", with: send)
        #expect(store.stored != nil, "The next user registers.")
    }

    @Test("A challenge for an earlier registration doesn't block the later ones")
    func earlierChallenge() async throws {
        try await inbox.register(token, account: "anna", with: send)
        try await deliver()
        try await inbox.renew(token, account: "anna", with: send)
        try await deliver()
        try await inbox.register(token, account: "anna", with: send)
        let row = try #require(server.rows.values.first)
        #expect(row.key == store.stored?.primary.key.publicKey && row.proved == time.now)
        let before = count
        try await inbox.register(token, account: "anna", with: send)
        #expect(count == before, "The earlier challenge is forgotten.")
    }

    @Test("A challenge that the server refuses is an error, and a registration that is due is sent")
    func refused()
        async throws
    {
        try await inbox.register(token, account: "anna", with: send)
        try await deliver()
        server.rotate(to: String(repeating: "B", count: 42) + "A")
        server.rotate(to: String(repeating: "C", count: 42) + "A")
        await #expect(throws: ProofServer.Refused.self) {
            try await inbox.register(token, account: "anna", with: send)
        }
        time.advance(by: 3600)
        _ = try? await inbox.register(token, account: "anna", with: send)
        try await deliverVisible()
        _ = try? await inbox.register(token, account: "anna", with: send)
        #expect(server.rows.values.first?.proved == time.now)
    }

    /// Stores the challenges of alerts, as the extension does.
    private func deliverVisible() async throws {
        for push in server.takePushes() where push.isVisible {
            let value = try SealedValue(json: push.payload, from: .apns)
            try await inbox.registrar("").challenges?.add(value, at: time.now)
        }
    }
}
