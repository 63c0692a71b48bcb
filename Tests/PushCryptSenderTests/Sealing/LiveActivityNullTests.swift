import PushCryptLint
import PushCryptTesting
import Testing

/// Tests of members that are `null`, which are not sealed.
@Suite struct LiveActivityNullTests {
    @Test(
        "A Live Activity push with null values is sealed and opens",
        arguments: [
            #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"attributes":null}}"#,
            #"{"aps":{"timestamp":1,"event":"end","attributes":null,"content-state":{}}}"#,
        ])
    func aLiveActivityPushWithNullValuesIsSealedAndOpens(json: String) throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous)
            .seal(json: json.utf8, for: device.publicKey, headers: APNsHeaders(.liveActivity))
        let opener = Opener(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        let opened = try opener.open(liveActivity: push.payload)
        #expect(String(decoding: opened, as: UTF8.self) == json)
    }

    @Test(
        "A Live Activity push without a state isn't sealed, whatever rules the sender ignores",
        arguments: [
            #"{"aps":{"timestamp":1,"event":"end"}}"#,
            #"{"aps":{"timestamp":1,"event":"end","content-state":null}}"#,
            #"{"aps":{"timestamp":1,"event":"end","contentState":{"a":1}}}"#,
            #"{"aps":{"timestamp":1,"event":"update","Content-State":{"a":1}}}"#,
            #"{"aps":{"timestamp":1,"event":"start","attributes":{},"attributes-type":"T"}}"#,
        ])
    func nothingIsSealed(json: String) throws {
        let sealer = Sealer(.anonymous, ignoredRules: Set(Rule.all.map(\.id)))
        let error = #expect(throws: PushCryptError.self) {
            try sealer.seal(
                json: json.utf8, for: TestKeys.device().publicKey,
                headers: APNsHeaders(.liveActivity))
        }
        #expect(error?.code == .invalidPayload)
        #expect(
            json.contains("end")
                == error?.reason.contains("Add a final state, or send the push unsealed."))
    }
}
