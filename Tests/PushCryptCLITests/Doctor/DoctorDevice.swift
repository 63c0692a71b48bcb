#if APNs
import Foundation
import PushCryptSystem
import PushCryptTesting
import PushCryptAPNsTesting
import Testing

@testable import PushCryptCLI
@testable import PushCryptKeyring
@testable import PushCryptReceiver
@testable import PushCryptSender

/// APNs, a device that gets its pushes, and the server that answers the device's requests and
/// stores the row.
final class DoctorDevice: Sendable {
    static let token = String(repeating: "0a", count: 32)

    let setup: DoctorSetup
    let server: TestAPNsServer
    private let store = TestKeyringStore()
    private let pushes: AsyncStream<[UInt8]>
    /// The secret of the server that answers registrations.
    private let secret: String

    /// Starts APNs, registers the device, and stores its row.
    init(_ setup: DoctorSetup, secret: String = String(repeating: "A", count: 43)) async throws {
        self.setup = setup
        self.secret = secret
        let (pushes, arrived) = AsyncStream.makeStream(of: [UInt8].self)
        self.pushes = pushes
        server = try await TestAPNsServer(onAccept: { arrived.yield($0.payload) })
        try setup.tool.write(Certificates.authority + "\n", to: "ca.pem")
        try setup.tool.write(ProviderKey.first.p8 + "\n", to: "key.p8", mode: 0o600)
        try FileManager.default.createDirectory(
            atPath: setup.tool.path("app"), withIntermediateDirectories: true)
        try await registrar.register(DeviceToken(bytes)) { [self] request in try answer(request) }
    }

    private var bytes: [UInt8] { [UInt8](repeating: 0x0A, count: 32) }

    private var registrar: DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "phone", directory: setup.tool.path("app"), account: "anna",
            senderPolicy: .signed(by: setup.signing.publicKey))
    }

    /// Answers a request, and stores the row of a proved registration.
    private func answer(_ request: RegistrationRequest) throws -> RegistrationResponse {
        let path = setup.tool.path("row.json")
        let stored = try? JSONDecoder().decode(
            Recipient.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        guard request.proof != nil, let stored else {
            // The first registration, whose proof is another test's subject.
            let row = try Recipient(
                registration: Registration(parsing: request.registration),
                deviceToken: request.deviceToken,
                account: "anna", registered: Date() - 60, proved: Date() - 60)
            try setup.writeRow(row)
            return .accepted(date: Date())
        }
        let proofs = ProofOfPossession(
            topic: "com.example.app", secrets: try ChallengeSecrets(parsing: secret),
            start: .distantPast)
        guard
            case .accepted(let row) = try proofs.decide(request, account: "anna", replacing: stored)
        else {
            throw PushCryptError(.invalidProof, "")
        }
        let data = try JSONEncoder().encode(row)
        try OutputFile.write(Array(data), to: path, isPrivate: false)
        return .accepted(date: Date())
    }

    /// Gives each push to the app, until the task is cancelled.
    func receive() async {
        for await payload in pushes {
            guard let value = try? SealedValue(json: payload, from: .apns) else { continue }
            _ = try? await registrar.register(ifAskedBy: .sealed(value), DeviceToken(bytes)) {
                [self] request in
                try answer(request)
            }
        }
    }

    /// The options for APNs, in which a test can replace values.
    func options(_ replacing: [String: String] = [:]) -> [String] {
        let key = ProviderKey.first
        let values = [
            "--p8": "key.p8", "--key-id": key.keyID, "--team-id": key.teamID,
            "--topic": "com.example.app",
            "--host": "localhost", "--port": "\(server.port)", "--ca": "ca.pem",
            "--token-file": setup.tool.path("\(replacing["--team-id"] ?? "apns").token"),
        ].merging(replacing) { $1 }
        return values.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }

    /// Runs the doctor while the device receives pushes, outside of Swift's threads, which it
    /// blocks.
    func report(_ arguments: [String]) async throws -> DoctorReport {
        let receiving = Task { await receive() }
        defer { receiving.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            Thread { [setup] in continuation.resume(with: Result { try setup.report(arguments) }) }
                .start()
        }
    }
}
#endif
