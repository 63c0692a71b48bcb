import PushCryptTesting
import Testing

@testable import PushCryptLint

/// Tests of pushes that no extension opens, and of those that go to many devices.
@Suite struct UnsealablePushTests {
    private static let payloads: [PushType: String] = [
        .widgets: #"{"aps":{"content-changed":true}}"#,
        .controls: #"{"aps":{"content-changed":true}}"#,
        .complication: #"{"aps":{},"k":1}"#, .mdm: #"{"mdm":"m"}"#,
        .fileProvider: #"{"container-identifier":"c","domain":"d"}"#,
    ]
    private static let broadcast =
        #"{"aps":{"event":"update","timestamp":1,"content-state":{"score":"zqscore"}}}"#

    @Test("Each push type can be sealed or not") func eachPushTypeCanBeSealedOrNot() {
        #expect(Set(Self.payloads.keys) == Set(PushType.allCases).subtracting(PushType.sealable))
        #expect(
            PushType.allCases.map(\.rawValue) == [
                "alert", "background", "voip", "liveactivity", "location", "pushtotalk", "widgets",
                "controls", "complication", "fileprovider", "mdm",
            ])
        #expect(PushType.allCases.allSatisfy { PushType(rawValue: $0.rawValue) == $0 })
        #expect(PushType(rawValue: "Alert") == nil && PushType(rawValue: "") == nil)
    }

    @Test("The sealer refuses a push that no extension opens", arguments: payloads.keys)
    func sealerRefusesPushThatNoExtensionOpens(type: PushType) throws {
        let sealer = Sealer(.anonymous, ignoredRules: Set(Rule.all.map(\.id)))
        for json in [try #require(Self.payloads[type]), "{}", #"{"aps":1}"#] {
            let error = #expect(throws: PushCryptError.self) {
                try sealer.seal(
                    json: json.utf8, for: TestKeys.device().publicKey, headers: APNsHeaders(type))
            }
            #expect(error?.code == .notSealable && error?.code.responsibility == .caller)
            #expect(error?.reason.contains(" \(type.rawValue) pushes. Send ") == true)
            #expect(throws: PushCryptError(.notSealable, "")) {
                try sealer.budget(json: json.utf8, type: type)
            }
        }
        #expect(type.acceptedKinds.isEmpty)
    }

    @Test("The sealer refuses a broadcast") func sealerRefusesBroadcast() throws {
        let headers = APNsHeaders(.liveActivity, channelID: "dHN0")
        let error = #expect(throws: PushCryptError.self) {
            try Sealer(.anonymous).prepare(json: Self.broadcast.utf8, headers: headers)
        }
        #expect(error?.code == .notSealable && error?.reason.contains("many subscribers") == true)
        _ = try Sealer(.anonymous).prepare(
            json: Self.broadcast.utf8, headers: APNsHeaders(.liveActivity))
    }

    @Test("Lint accepts each of them with a note", arguments: payloads.keys)
    func lintAcceptsEachOfThemWithNote(type: PushType) throws {
        let lint = try Sealer(.anonymous).lint(
            json: #require(Self.payloads[type]).utf8, headers: APNsHeaders(type))
        #expect(lint.findings.map(\.rule) == [.notSealable] && !lint.isSealed && lint.budget == nil)
    }

    @Test("Lint finds readable text in all of a payload that stays unsealed")
    func lintFindsReadableText() throws {
        func fixes(_ json: String, _ headers: APNsHeaders) throws -> [String] {
            try Sealer(.anonymous).lint(json: json.utf8, headers: headers).findings
                .filter { $0.rule == SensitiveText.emailAddress.rule }.map(\.fix)
        }
        let complication = #"{"aps":{"thread-id":"anna@example.com"},"k":["anna@example.com"]}"#
        #expect(
            try fixes(complication, APNsHeaders(.complication)) == ["Remove it.", "Remove it."])
        let state = Self.broadcast.replacing("zqscore", with: "anna@example.com")
        #expect(try fixes(state, APNsHeaders(.liveActivity, channelID: "dHN0")) == ["Remove it."])
        #expect(try fixes(state, APNsHeaders(.liveActivity)) == [])
    }

    @Test("A broadcast has 5120 bytes, and any other Live Activity push 4096")
    func broadcastHas5120Bytes() throws {
        func excess(_ count: Int, _ headers: APNsHeaders) throws -> String? {
            let filler = String(repeating: "x", count: count - Self.broadcast.utf8.count)
            let json = Self.broadcast.replacing("zqscore", with: "zqscore" + filler)
            return try Sealer(.anonymous).lint(json: json.utf8, headers: headers).findings
                .first { $0.rule == .payloadSize }?.detail
        }
        let headers = APNsHeaders(.liveActivity, channelID: "dHN0")
        #expect(try excess(5120, headers) == nil)
        #expect(try excess(5121, headers) == "1 too many")
        #expect(try excess(4200, APNsHeaders(.liveActivity)) != nil)
        #expect(
            try Sealer(.anonymous).lint(json: "{}".utf8, headers: APNsHeaders(.widgets)).limit
                == 4096)
    }
}
