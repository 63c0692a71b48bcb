import PushCryptTesting
import Testing

/// Tests of members that are `null`, which are not sealed.
@Suite struct LiveActivityNullTests {
    @Test(
        "A Live Activity push with null values is sealed and opens",
        arguments: [
            #"{"aps":{"timestamp":1,"event":"end","content-state":null}}"#,
            #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"attributes":null}}"#,
            #"{"aps":{"timestamp":1,"event":"end","attributes":null,"content-state":null}}"#,
        ])
    func aLiveActivityPushWithNullValuesIsSealedAndOpens(json: String) throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous)
            .seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(.liveActivity))
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        let isSealed = String(decoding: push.payload, as: UTF8.self).contains("ENCRYPTED_DATA")
        let opened = isSealed ? try opener.open(liveActivity: push.payload) : push.payload
        #expect(String(decoding: opened, as: UTF8.self) == json)
    }
}
