import Foundation
import PushCryptTesting
import Testing

@Suite struct APNsHeadersTests {
    private func fields(_ headers: APNsHeaders) -> [String: String] {
        Dictionary(uniqueKeysWithValues: headers.fields.map { ($0.name, $0.value) })
    }

    @Test("An alert has priority 10") func anAlertHasPriority10() {
        #expect(fields(APNsHeaders()) == ["apns-push-type": "alert", "apns-priority": "10"])
        #expect(fields(APNsHeaders(.voip)) == ["apns-push-type": "voip", "apns-priority": "10"])
    }

    @Test("A background push has priority 5 and no other") func aBackgroundPushHasPriority5AndNoOther() throws {
        #expect(fields(APNsHeaders(.background)) == ["apns-push-type": "background", "apns-priority": "5"])
        #expect(throws: PushCryptError(.invalidHeader, "")) {
            try Sealer(.anonymous).prepare(
                json: #"{"aps":{"content-available":1}}"#.utf8,
                headers: APNsHeaders(.background, priority: .immediate))
        }
    }

    @Test("Every given header is sent") func everyGivenHeaderIsSent() throws {
        let headers = APNsHeaders(
            .alert, priority: .low, expiration: .at(Date(timeIntervalSince1970: 1_800_000_000.9)), collapseID: "c",
            topic: "com.example.app")
        #expect(
            headers.fields.map(\.name)
                == ["apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic"])
        #expect(headers.fields.map(\.value) == ["c", "1800000000", "1", "alert", "com.example.app"])
        #expect(fields(APNsHeaders(expiration: .once))["apns-expiration"] == "0")
    }

    @Test("A push has the given headers") func aPushHasTheGivenHeaders() throws {
        let headers = APNsHeaders(topic: "com.example.app")
        let push = try Sealer(.anonymous)
            .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: TestKeys.device().publicKey, headers: headers)
        #expect(push.headers == headers)
    }

    @Test(
        "An invalid header value is rejected",
        arguments: [
            APNsHeaders(collapseID: String(repeating: "c", count: 65)), APNsHeaders(collapseID: ""),
            APNsHeaders(topic: "a b"), APNsHeaders(topic: "a\r\nb: c"), APNsHeaders(collapseID: "ä"),
        ])
    func anInvalidHeaderValueIsRejected(headers: APNsHeaders) {
        #expect(throws: PushCryptError(.invalidHeader, "")) {
            try Sealer(.anonymous).prepare(json: #"{"aps":{"alert":"a"}}"#.utf8, headers: headers)
        }
    }

    @Test("A collapse ID of 64 bytes is accepted") func aCollapseIdOf64BytesIsAccepted() throws {
        _ = try Sealer(.anonymous).prepare(
            json: #"{"aps":{"alert":"a"}}"#.utf8, headers: APNsHeaders(collapseID: String(repeating: "c", count: 64)))
    }
}
