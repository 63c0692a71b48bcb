import PushCryptTesting
import Testing

/// Tests of the suffix that the push type requires of a topic.
@Suite struct TopicTests {
    private static let payloads: [PushType: String] = [
        .alert: #"{"aps":{"alert":"a"}}"#, .background: #"{"aps":{"content-available":1}}"#,
        .voip: #"{"k":1}"#,
        .liveActivity: #"{"aps":{"event":"end","timestamp":1,"content-state":{}}}"#,
        .location: #"{"k":1}"#,
        .pushToTalk: #"{"k":1}"#,
    ]

    private func code(_ type: PushType, _ topic: String) throws -> PushCryptError.Code? {
        let json = try #require(Self.payloads[type])
        do {
            _ = try Sealer(.anonymous).prepare(
                json: json.utf8, headers: APNsHeaders(type, topic: topic))
            return nil
        } catch {
            #expect(!error.reason.contains("com.example"))
            return error.code
        }
    }

    @Test(
        "A topic with the suffix of its push type is accepted",
        arguments: [
            (PushType.alert, "com.example.app"), (.background, "com.example.app"),
            (.voip, "com.example.app.voip"),
            (.liveActivity, "com.example.app.push-type.liveactivity"),
            (.location, "com.example.app.location-query"),
            (.pushToTalk, "com.example.app.voip-ptt"),
        ])
    func aTopicWithTheSuffixOfItsPushTypeIsAccepted(type: PushType, topic: String) throws {
        #expect(try code(type, topic) == nil)
        #expect(
            try Sealer(.anonymous).prepare(
                json: #require(Self.payloads[type]).utf8, headers: APNsHeaders(type, topic: topic)
            ).headers.fields.contains { $0 == ("apns-topic", topic) })
    }

    @Test(
        "A topic with another suffix is rejected",
        arguments: [
            (PushType.voip, "com.example.app"), (.voip, "com.example.app.VOIP"),
            (.voip, "com.example.voip.app"),
            (.voip, "com.example.appvoip"),
            (.voip, "com.example.app.push-type.liveactivity"), (.liveActivity, "com.example.app"),
            (.liveActivity, "com.example.app.voip"),
            (.liveActivity, "com.example.app.liveactivity"),
            (.liveActivity, "com.example.app.push-type.liveactivity.x"),
            (.liveActivity, "com.example.apppush-type.liveactivity"),
            (.location, "com.example.app.location"),
            (.pushToTalk, "com.example.app.voip"), (.voip, "com.example.app.voip-ptt"),
        ])
    func aTopicWithAnotherSuffixIsRejected(type: PushType, topic: String) throws {
        #expect(try code(type, topic) == .invalidHeader)
    }

    @Test("Headers without a topic are accepted", arguments: PushType.sealable)
    func headersWithoutATopicAreAccepted(type: PushType) throws {
        _ = try Sealer(.anonymous).prepare(
            json: #require(Self.payloads[type]).utf8, headers: APNsHeaders(type))
    }

    @Test(
        "A push type that can't be sealed has a suffix too",
        arguments: [
            (PushType.widgets, ".push-type.widgets"), (.controls, ".push-type.controls"),
            (.complication, ".complication"), (.fileProvider, ".pushkit.fileprovider"),
        ])
    func unsealableSuffixes(type: PushType, suffix: String) throws {
        try APNsHeaders(type, topic: "com.example.app" + suffix).check()
        for other in ["com.example.app", "com.example.app.voip", suffix] {
            #expect(throws: PushCryptError(.invalidHeader, "")) {
                try APNsHeaders(type, topic: other).check()
            }
        }
    }

    @Test("The topic of MDM is that of the certificate") func mdmTopic() throws {
        try APNsHeaders(.mdm, topic: "com.apple.mgmt.External.1").check()
    }
}
