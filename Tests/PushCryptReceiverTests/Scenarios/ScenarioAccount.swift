import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSystem
import PushCryptTesting

@testable import PushCryptReceiver

/// The keys of all servers and of a stranger, the same for all scenarios.
struct ScenarioPool: Sendable {
    let roots: [SigningKey]
    let online: [SigningKey]
    let stranger: SigningKey
    let otherDevice: RecipientPrivateKey

    init() throws {
        roots = try (0..<4).map { _ in try SigningKey() }
        online = try (0..<4).map { _ in try SigningKey() }
        stranger = try SigningKey()
        otherDevice = try RecipientPrivateKey()
    }
}

/// An account of a device, and its server.
final class ScenarioAccount: Sendable {
    let name: String
    let user: String
    let roots: [SigningKey]
    let audience: String?
    let store: ScenarioKeyStore
    let server: ScenarioServer
    let directory: String

    init(
        _ names: (name: String, user: String), roots: [SigningKey], audience: String?,
        device: ScenarioDevice.Parts
    )
        throws
    {
        (name, user) = names
        self.roots = roots
        self.audience = audience
        store = ScenarioKeyStore(device.keys)
        directory = device.directory + "/" + name
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        server = ScenarioServer(clock: device.clock, seed: device.seed &+ UInt64(name.utf8.count))
    }

    var policy: SenderPolicy {
        roots.isEmpty ? .anyone : .signed(by: roots.map(\.publicKey), audience: audience)
    }

    var pushAccount: PushAccount { PushAccount(name, keys: store, senderPolicy: policy) }

    func registrar(_ sharedStore: SharedStore, _ clock: ScenarioClock) -> DeviceRegistrar {
        DeviceRegistrar(
            store: store, deviceID: "device", directory: directory, account: user,
            senderPolicy: policy,
            challenges: sharedStore.challenges, carrier: .firebaseAndroid, time: clock)
    }

    /// The account as the file of scenarios has it.
    var json: JSONValue {
        .object([
            "name": .string(name), "user": .string(user),
            "roots": .array(
                roots.map { .string(Base64URL.encode($0.publicKey.rawRepresentation)) }),
            "audience": audience.map { .string($0) } ?? .null,
        ])
    }
}
