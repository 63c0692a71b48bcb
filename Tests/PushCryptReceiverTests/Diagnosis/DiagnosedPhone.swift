import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptTesting

@testable import PushCryptReceiver

/// A phone with one account and the state that it shares with its extension, and its server.
final class DiagnosedPhone: @unchecked Sendable {
    struct Lost: Error {}

    let time = TestClock()
    let store = TestKeyringStore()
    let folder: RegistrationStateDirectory
    var secrets = InMemorySecretsStore()
    let root: SigningKey
    let server: ProofServer
    var account = "anna"
    var token: [UInt8]? = [UInt8](repeating: 0xAB, count: 32)
    var deviceID: String? = "phone"
    var policy: SenderPolicy
    /// The seconds by which the server's clock is ahead.
    var serverClock: TimeInterval = 0
    /// The lists of accepted keys in the server's answers.
    var lists: [String] = []
    /// The server's answer instead of the one of ``server``.
    var answer: ((RegistrationRequest) throws -> RegistrationResponse)?

    init() throws {
        folder = try RegistrationStateDirectory()
        root = try TestKeys.sender()
        policy = .signed(by: root.publicKey)
        server = ProofServer(time: time, signer: root)
        try shared.prepare(display: .full)
        answer = { [unowned self] _ in .accepted(date: time.now + serverClock, signerLists: lists) }
    }

    var shared: SharedStore { SharedStore(directory: folder.path, secrets: secrets, time: time) }

    var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: deviceID, directory: folder.path, account: account,
            senderPolicy: policy,
            challenges: shared.challenges, time: time)
    }

    /// The inbox of the app.
    var inbox: PushInbox {
        var configuration = PushConfiguration(keys: store, senderPolicy: policy)
        configuration.directory = folder.path
        configuration.secrets = secrets
        configuration.registration.deviceID = { [deviceID] in deviceID }
        configuration.registration.directory = { [path = folder.path] _ in path }
        return PushInbox(configuration, clock: time)
    }

    /// Returns the codes of the findings.
    func codes() async -> [String] {
        await inbox.diagnose(token.map { DeviceToken($0) }, account: account).map(\.code.rawValue)
    }

    private var send: PushInbox.SendRegistration {
        { [self] request in
            if let answer { return try answer(request) }
            return try server.receive(request, account: account)
        }
    }

    /// Has the server ask for proofs from now on.
    func askForProofs() { answer = nil }

    func launch() async throws {
        try await registrar.register(DeviceToken(token ?? []), with: send)
    }

    /// Launches the app while a request fails.
    func launchWithoutAnswer() async {
        let before = answer
        answer = { _ in throw Lost() }
        try? await launch()
        answer = before
    }

    func renew() async throws { try await registrar.renew(DeviceToken(token ?? []), with: send) }

    /// Delivers the server's pushes: background pushes to the app, and alerts to the extension.
    func deliver() async throws {
        for push in server.takePushes() {
            try await deliver(push.payload, isVisible: push.isVisible)
        }
    }

    /// Delivers the server's pushes, and returns whether the app has asked the server.
    @discardableResult
    func deliver(_ payload: [UInt8], isVisible: Bool = false) async throws -> Bool {
        let value = try SealedValue(json: payload, from: .apns)
        if isVisible {
            if (try? registrar.challenge(in: value)) != nil {
                try shared.challenges.add(value, at: time.now)
            }
            return false
        }
        return try await registrar.register(
            ifAskedBy: ["ENCRYPTED_DATA": String(decoding: value.text, as: UTF8.self)],
            DeviceToken(token ?? []),
            with: send)
    }

    /// Returns a list of accepted keys, signed by the root.
    func list(_ keys: [SigningKey], days: Double = 30) throws -> String {
        try SignerList(
            keys: keys.map(\.publicKey), issued: time.now, expiration: time.now + days * 86_400,
            signedBy: Signer(root)
        ).text
    }
}
