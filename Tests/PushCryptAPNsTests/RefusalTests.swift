#if APNs
import Foundation
import PushCryptAPNs
import PushCryptTesting
import PushCryptAPNsTesting
import TestSupport
import Testing

@Suite("Pushes that aren't sent") struct RefusalTests {
    private static let topic = APNsHeaders(topic: "com.example.app")

    @Test(
        "A push that isn't sealed requires consent",
        arguments: [
            #"{"aps":{"alert":"-"}}"#, #"{"aps":{},"ENCRYPTED_DATA":"AQ"}"#,
            #"{"aps":{},"ENCRYPTED_DATA":1}"#,
            #"{"aps":{"ENCRYPTED_DATA":"x"}}"#, "no JSON", "",
        ]) func unsealed(json: String) async throws
    {
        try await Fixture.run(sealedOnly: true) { fixture in
            let error = try #require(await fixture.failure(Fixture.push(json)))
            #expect(error.code == .unsealed && error.advice == .fixRequest)
            #expect(fixture.server.record.requests == 0)
        }
    }

    @Test("A push with readable members beside a sealed value requires consent")
    func readableMembers() async throws {
        let device = try TestKeys.device().publicKey
        let sealer = Sealer(.anonymous)
        let original = #"{"aps":{"alert":"-","content-available":1},"secret":1}"#
        let alert = String(
            decoding: try sealer.seal(json: Array(original.utf8), for: device).payload,
            as: UTF8.self)
        let state = String(
            decoding: try sealer.seal(
                json: Array(
                    #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1}}}"#.utf8),
                for: device,
                headers: APNsHeaders(.liveActivity)
            ).payload, as: UTF8.self)
        let payloads: [(String, PushType)] = [
            (alert.replacing(#"{"aps":"#, with: #"{"secret":1,"aps":"#), .alert),
            (
                alert.replacing(#""mutable-content":1"#, with: #""mutable-content":1,"secret":1"#),
                .alert
            ),
            (
                alert.replacing(
                    #""mutable-content":1"#, with: #""mutable-content":1,"badge":{"secret":1}"#),
                .alert
            ),
            (alert.replacing(#""body":"#, with: #""action-loc-key":"secret","body":"#), .alert),
            (alert, .background), (alert, .liveActivity),
            (
                state.replacing(#""event":"#, with: #""attributes":{"secret":1},"event":"#),
                .liveActivity
            ),
            (
                state.replacing(#"{"ENCRYPTED_DATA""#, with: #"{"secret":1,"ENCRYPTED_DATA""#),
                .liveActivity
            ),
            (#"{"aps":{"timestamp":1,"event":"end","contentState":{"secret":1}}}"#, .liveActivity),
            (state, .alert),
        ]
        try await Fixture.run(sealedOnly: true) { fixture in
            for (payload, type) in payloads {
                let headers = APNsHeaders(type, topic: "com.example.app")
                let error = await fixture.failure(
                    APNsPush(payload: Array(payload.utf8), headers: headers))
                #expect(error?.code == .unsealed, "\(payload)")
            }
            #expect(fixture.server.record.requests == 0)
        }
    }

    @Test("A sealed push is sent, also as bytes") func sealed() async throws {
        let sealer = Sealer(.anonymous)
        try await Fixture.run(sealedOnly: true) { fixture in
            let push = try sealer.seal(
                json: Array(#"{"aps":{"alert":"-"}}"#.utf8), for: TestKeys.device().publicKey,
                headers: Self.topic)
            _ = try await fixture.client.send(push, to: Fixture.device)
            _ = try await fixture.client.send(
                APNsPush(payload: push.payload, headers: push.headers), to: Fixture.device)
            #expect(fixture.server.record.pushes.map(\.payload) == [push.payload, push.payload])
        }
    }

    @Test(
        "A request that APNs would refuse isn't sent",
        arguments: [
            ("topic", "invalid-header"), ("collapse", "invalid-header"),
            ("channel", "not-sealable"),
            ("long", "payload-too-large"),
            ("empty token", "invalid-device-token"), ("path", "invalid-device-token"),
            ("long token", "invalid-device-token"), ("short token", "invalid-device-token"),
            ("odd token", "invalid-device-token"), ("full-width token", "invalid-device-token"),
        ]) func invalid(kind: String, code: String) async throws
    {
        var headers = Self.topic
        var json = #"{"aps":{"alert":"-"}}"#
        var device = Fixture.device
        switch kind {
        case "topic": headers.topic = nil
        case "collapse": headers.collapseID = String(repeating: "x", count: 65)
        case "channel":
            headers = APNsHeaders(
                .liveActivity, topic: "com.example.app.push-type.liveactivity", channelID: "dHN0")
        case "long": json = #"{"aps":{"alert":""# + String(repeating: "x", count: 4096) + #""}}"#
        case "empty token": device = ""
        case "short token": device = String(repeating: "a", count: 30)
        case "odd token": device = String(repeating: "a", count: 63)
        case "full-width token": device = String(repeating: "０", count: 32)
        case "path": device = "../../4/broadcasts"
        default: device = String(repeating: "a", count: 402)
        }
        try await Fixture.run { fixture in
            let error = try #require(
                await fixture.failure(Fixture.push(json, headers: headers), to: device))
            #expect(
                error.code.rawValue == code && error.advice == .fixRequest && error.status == nil)
            #expect(fixture.server.record.requests == 0)
        }
    }

    @Test(
        "4096 bytes are sent, and 5120 for VoIP",
        arguments: [(PushType.alert, 4096), (.voip, 5120)])
    func limit(type: PushType, count: Int) async throws {
        try await Fixture.run { fixture in
            let headers = APNsHeaders(
                type, topic: "com.example.app" + (type == .voip ? ".voip" : ""))
            let json = #"{"aps":{"alert":""# + String(repeating: "x", count: count - 21) + #""}} "#
            _ = try await fixture.client.send(
                Fixture.push(json, headers: headers), to: Fixture.device)
            #expect(fixture.server.record.pushes.first?.payload.count == count)
            let error = await fixture.failure(Fixture.push(json + " ", headers: headers))
            #expect(error?.code == .payloadTooLarge)
        }
    }

    @Test("Settings that can't work are refused") func settings() throws {
        let credentials = try Fixture.credentials()
        var environment = APNsEnvironment.sandbox
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try APNsClient(credentials, connections: 0)
        }
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try APNsClient(credentials, timeout: 0)
        }
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try APNsClient(credentials, pause: .nan)
        }
        environment.port = 0
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try APNsClient(credentials, environment: environment)
        }
        for (host, port) in [("", 443), ("a/b", 443), ("a", 0), ("a b", 1), ("a", 65536)] {
            #expect(throws: PushCryptError(.invalidConfiguration, "")) {
                try APNsEnvironment(host: host, port: port)
            }
        }
        #expect(throws: PushCryptError(.invalidConfiguration, "")) {
            try APNsEnvironment(host: "a", port: 1, trusting: "no certificate")
        }
    }
}
#endif
