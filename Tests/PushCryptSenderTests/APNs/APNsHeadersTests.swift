import Foundation
import PushCryptTesting
import TestSupport
import Testing

@Suite struct APNsHeadersTests {
    private func fields(_ headers: APNsHeaders) -> [String: String] {
        Dictionary(uniqueKeysWithValues: headers.fields.map { ($0.name, $0.value) })
    }

    @Test("An alert has priority 10") func anAlertHasPriority10() {
        #expect(fields(APNsHeaders()) == ["apns-push-type": "alert", "apns-priority": "10"])
        #expect(fields(APNsHeaders(.voip)) == ["apns-push-type": "voip", "apns-priority": "10"])
    }

    @Test("A background push has priority 5 and no other")
    func aBackgroundPushHasPriority5AndNoOther() throws {
        #expect(
            fields(APNsHeaders(.background)) == [
                "apns-push-type": "background", "apns-priority": "5",
            ])
        #expect(throws: PushCryptError(.invalidHeader, "")) {
            try Sealer(.anonymous).prepare(
                json: #"{"aps":{"content-available":1}}"#.utf8,
                headers: APNsHeaders(.background, priority: .immediate))
        }
    }

    @Test("Every given header is sent") func everyGivenHeaderIsSent() throws {
        let headers = APNsHeaders(
            .alert, priority: .low, expiration: .at(Date(timeIntervalSince1970: 1_800_000_000.9)),
            collapseID: "c",
            topic: "com.example.app", id: UUID(uuidString: "EABEAE54-14A8-11E5-B60B-1697F925EC7B"))
        #expect(
            headers.fields.map(\.name)
                == [
                    "apns-collapse-id", "apns-expiration", "apns-id", "apns-priority",
                    "apns-push-type", "apns-topic",
                ])
        #expect(
            headers.fields.map(\.value) == [
                "c", "1800000000", "eabeae54-14a8-11e5-b60b-1697f925ec7b", "1", "alert",
                "com.example.app",
            ])
        let broadcast = fields(APNsHeaders(.liveActivity, channelID: "dHN0LXNyY2gtY2hubA=="))
        #expect(broadcast["apns-channel-id"] == "dHN0LXNyY2gtY2hubA==" && broadcast.count == 3)
        #expect(fields(APNsHeaders(expiration: .once))["apns-expiration"] == "0")
    }

    @Test("A push-to-talk push expires at once unless a date is given")
    func pushToTalkExpiresAtOnce() throws {
        let time = TestClock()
        for (given, expected) in [(nil, .once), (.at(time.now + 1), .at(time.now + 1))]
            as [(APNsHeaders.Expiration?, APNsHeaders.Expiration)]
        {
            let headers = APNsHeaders(.pushToTalk, expiration: given)
            let push = try Sealer(.anonymous, time: time).seal(
                json: #"{"k":1}"#.utf8, for: TestKeys.device().publicKey, headers: headers)
            #expect(push.headers.expiration == expected && push.headers.priority == .immediate)
        }
    }

    @Test("A push has the given headers") func aPushHasTheGivenHeaders() throws {
        var headers = APNsHeaders(topic: "com.example.app", id: UUID())
        headers.expiration = .once
        let push = try Sealer(.anonymous)
            .seal(
                json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey,
                headers: headers)
        #expect(push.headers == headers)
    }

    @Test("The expiration is the end of the lifetime, or an earlier date")
    func expirationIsTheEndOfTheLifetimeOrAnEarlierDate() throws {
        let time = TestClock()
        let sealer = Sealer(.anonymous, lifetime: 300, time: time)
        let end = time.now + 300
        for (given, expected) in [
            (nil, .at(end)), (.once, .once), (.at(end - 1), .at(end - 1)), (.at(end + 1), .at(end)),
            (.at(.distantFuture), .at(end)),
        ] as [(APNsHeaders.Expiration?, APNsHeaders.Expiration)] {
            let push = try sealer.seal(
                json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey,
                headers: APNsHeaders(expiration: given))
            #expect(push.headers.expiration == expected)
        }
    }

    @Test(
        "A lifetime is between 1 second and 30 days",
        arguments: [
            (0, false), (0.9, false), (1, true), (1.5, true), (2_592_000, true), (2_592_001, false),
            (-1, false),
            (.infinity, false), (.nan, false), (1e300, false),
        ] as [(Double, Bool)])
    func lifetimeIsBetween1SecondAnd30Days(lifetime: Double, isValid: Bool) throws {
        let error = errorCode {
            try Sealer(.anonymous, lifetime: lifetime).prepare(json: #"{"aps":{"alert":"a"}}"#.utf8)
        }
        #expect(error == (isValid ? nil : .invalidLifetime))
    }

    @Test(
        "An invalid header value is rejected",
        arguments: [
            APNsHeaders(collapseID: String(repeating: "c", count: 65)), APNsHeaders(collapseID: ""),
            APNsHeaders(channelID: "dHN0"), APNsHeaders(.liveActivity, channelID: ""),
            APNsHeaders(.liveActivity, channelID: "a\r\nb: c"), APNsHeaders(topic: "a b"),
            APNsHeaders(topic: "a\r\nb: c"), APNsHeaders(collapseID: "ä"),
        ])
    func anInvalidHeaderValueIsRejected(headers: APNsHeaders) {
        #expect(throws: PushCryptError(.invalidHeader, "")) {
            try Sealer(.anonymous).prepare(json: #"{"aps":{"alert":"a"}}"#.utf8, headers: headers)
        }
    }

    @Test("A collapse ID of 64 bytes is accepted") func aCollapseIdOf64BytesIsAccepted() throws {
        _ = try Sealer(.anonymous).prepare(
            json: #"{"aps":{"alert":"a"}}"#.utf8,
            headers: APNsHeaders(collapseID: String(repeating: "c", count: 64)))
    }
}
