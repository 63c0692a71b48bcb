import Foundation
import PushCryptTesting

/// A payload as the system hands it to the app, sealed and unsealed.
struct DeliveredPush {
    static let json = #"{"aps":{"alert":"Order"},"order":7}"#

    let configuration: PushConfiguration
    let sealed: [AnyHashable: Any]
    let clear: [AnyHashable: Any]

    init(_ type: PushType = .alert) throws {
        let device = try TestKeys.device()
        let server = try TestKeys.sender()
        configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .signed(by: [server.publicKey]))
        let push = try Sealer(.signed(by: server)).seal(
            json: Self.json.utf8, for: device.publicKey, headers: APNsHeaders(type))
        sealed = try Self.dictionary(push.data)
        clear = try Self.dictionary(Data(Self.json.utf8))
    }

    /// Returns an inbox with a policy for payloads that aren't sealed.
    func inbox(_ unsealed: UnsealedPayloads) -> PushInbox {
        var configuration = configuration
        configuration.unsealedPayloads = unsealed
        return PushInbox(configuration)
    }

    private static func dictionary(_ json: Data) throws -> [AnyHashable: Any] {
        try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
    }
}
