internal import PushCryptReceiver
internal import PushCryptSender

/// One sealed push and its delivery to a device, also after attacks and accidents.
struct Demo {
    /// An attack or an accident, after which the device must display the fallback.
    struct Scene {
        let title: String
        let expected: PushCryptError.Code
        let shown: Presented

        /// A Boolean value that indicates whether the device displays the fallback for the expected
        /// reason.
        var isAsExpected: Bool {
            shown.outcome.failure?.code == expected
                && shown.content.body == FallbackText.standard.body
        }
    }

    let key: RecipientPublicKey
    let push: SealedPush

    /// The notification of the push that no attacker touched.
    let shown: Presented

    let scenes: [Scene]

    /// Creates keys, seals the original and delivers it in all scenes.
    init() throws {
        let privateKey = try RecipientPrivateKey()
        let bank = try SigningKey()
        let outsider = try SigningKey()
        let original = Array(DemoPayload.original.utf8)
        let keys = InMemoryKeyStore([privateKey])
        let device = DemoDevice(keys, accepting: bank.publicKey)
        let hanging = DemoDevice(HangingKeyStore(), accepting: bank.publicKey, deadline: 0.5)
        key = privateKey.publicKey
        push = try Sealer(.signed(by: bank)).seal(json: original, for: key)
        let foreign = try Sealer(.signed(by: outsider)).seal(json: original, for: key)
        shown = try device.receive(push.payload)
        scenes = [
            Scene(
                title: "An attacker changes one byte", expected: .decryptionFailed,
                shown: try device.receive(Self.changed(push.payload))),
            Scene(
                title: "Another sender signs", expected: .unknownSigner,
                shown: try device.receive(foreign.payload)),
            Scene(
                title: "An attacker writes the alert", expected: .notSealed,
                shown: try device.receive(Array(DemoPayload.forged.utf8))),
            Scene(
                title: "The key store hangs", expected: .deadlinePassed,
                shown: try hanging.receive(push.payload)),
        ]
    }

    /// Returns a payload with another character in the sealed value, which ends before the last two
    /// bytes.
    private static func changed(_ payload: [UInt8]) -> [UInt8] {
        var changed = payload
        let index = changed.count - 40
        changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return changed
    }

    /// The first result that isn't as expected; `nil` if all are.
    var complaint: String? {
        if shown.outcome.failure != nil { return "the device did not open the message" }
        let wrong = scenes.first { !$0.isAsExpected }
        return wrong.map { "\($0.title): the device did not display the fallback for this reason" }
    }
}
