import Foundation
import PushCryptLint
import PushCryptTesting
import TestSupport
import Testing

@Suite struct WithdrawalSealingTests {
    private let device: RecipientPrivateKey
    private let sealer: Sealer
    private let opener: Opener

    init() throws {
        device = try TestKeys.device()
        sealer = Sealer(.signed(by: try TestKeys.sender()))
        opener = Opener(
            keys: InMemoryKeyStore([device]),
            senderPolicy: .signed(by: try TestKeys.sender().publicKey))
    }

    private func kind(_ json: String, as kind: MessageKind? = nil) throws -> MessageKind {
        let push = try sealer.seal(json: json.utf8, for: device.publicKey, as: kind)
        return try opener.open(json: push.payload, as: MessageKind.all).kind
    }

    @Test("A withdrawal is an alert push under the collapse ID of its notification")
    func withdrawalIsSealed() throws {
        var aps = Payload.APS()
        aps.alert = "1 read"
        let withdrawal = Withdrawal(collapseIDs: ["m-1"], threadIDs: ["a", "b"], aps: aps)
        let push = try sealer.seal(withdrawal, for: device.publicKey)
        #expect(push.headers.collapseID == "m-1")
        #expect(push.headers.pushType == .alert)
        let opened = try opener.open(json: push.payload, as: [.withdrawal])
        let expected = #"{"aps":{"alert":"1 read"},"collapse-ids":["m-1"],"thread-ids":["a","b"]}"#
        #expect(try JSONValue(parsing: opened.payload) == JSONValue(parsing: expected.utf8))
        // With quotes, which a sealed value never has by chance.
        #expect(String(decoding: push.payload, as: UTF8.self).contains("\"m-1\"") == false)
    }

    @Test("The header stays as the sender gave it, and several IDs have none") func headerStays()
        throws
    {
        let given = try sealer.seal(
            Withdrawal(collapseIDs: ["m-1"]), for: device.publicKey,
            headers: APNsHeaders(collapseID: "other"))
        #expect(given.headers.collapseID == "other")
        let several = try sealer.seal(
            Withdrawal(collapseIDs: ["m-1", "m-2"]), for: device.publicKey)
        #expect(several.headers.collapseID == nil)
        #expect(
            errorCode {
                try sealer.seal(Withdrawal(collapseIDs: ["with space"]), for: device.publicKey)
            }
                == .invalidPayload)
    }

    @Test("Only a payload without other members is a withdrawal")
    func onlyItsMembersAreAWithdrawal() throws {
        #expect(try kind(#"{"thread-ids":["a"]}"#) == .withdrawal)
        #expect(
            try kind(#"{"thread-ids":["a"],"aps":{"alert":"a"}}"#, as: .withdrawal) == .withdrawal)
        #expect(try kind(#"{"thread-ids":["a"],"aps":{"alert":"a"},"k":1}"#) == .notification)
        #expect(errorCode { try kind(#"{"aps":{"alert":"a"}}"#, as: .withdrawal) } == .wrongKind)
        #expect(
            errorCode { try kind(#"{"thread-ids":["a"]}"#, as: .notification) } == .invalidPayload)
        #expect(
            try kind(#"{"thread-ids":["a"],"aps":{"alert":"a"}}"#, as: .notification)
                == .notification)
        #expect(errorCode { try kind(#"{"thread-ids":[]}"#) } == .invalidPayload)
        #expect(errorCode { try sealer.seal(Withdrawal(), for: device.publicKey) } != nil)
        let background = APNsHeaders(.background)
        #expect(
            errorCode {
                try sealer.seal(
                    json: #"{"thread-ids":["a"]}"#.utf8, for: device.publicKey, headers: background)
            }
                == .invalidPayload)
    }

    @Test(
        "The push may replace one of several notifications", arguments: [("a", false), ("c", true)])
    func pushMayReplaceANotification(collapseID: String, isFound: Bool) throws {
        func finds(_ json: String) throws -> Bool {
            try sealer.lint(json: json.utf8, headers: APNsHeaders(collapseID: collapseID)).findings
                .contains {
                    $0.rule.id.rawValue == "withdrawal-shown"
                }
        }
        #expect(try finds(#"{"collapse-ids":["a","b"]}"#) == isFound)
        #expect(try !finds(#"{"collapse-ids":["a","b"],"aps":{"alert":"x"},"k":1}"#))
    }
}
