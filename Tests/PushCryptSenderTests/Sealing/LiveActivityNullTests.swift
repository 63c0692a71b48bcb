import PushCryptTesting
import Testing

/// A member that is `null` is none: there is nothing in it to seal, and nothing that would open.
@Suite struct LiveActivityNullTests {
    @Test(arguments: [
        #"{"aps":{"timestamp":1,"event":"end","content-state":null}}"#,
        #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"attributes":null}}"#,
        #"{"aps":{"timestamp":1,"event":"end","attributes":null,"content-state":null}}"#,
    ])
    func whatIsSealedOpens(json: String) throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous)
            .seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(.liveActivity))
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        let isSealed = String(decoding: push.payload, as: UTF8.self).contains("ENCRYPTED_DATA")
        let opened = isSealed ? try opener.open(liveActivity: push.payload) : push.payload
        #expect(String(decoding: opened, as: UTF8.self) == json)
    }
}
