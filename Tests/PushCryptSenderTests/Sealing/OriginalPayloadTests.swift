import PushCryptLint
import PushCryptTesting
import Testing

/// Tests of payloads that are rejected before sealing.
@Suite struct OriginalPayloadTests {
    private func code(_ json: String, type: PushType = .alert) throws -> PushCryptError.Code? {
        do {
            _ = try Sealer(.anonymous).prepare(json: json.utf8, headers: APNsHeaders(type))
            return nil
        } catch {
            #expect(!error.reason.contains("secret"))
            return error.code
        }
    }

    @Test(
        "An alert with text is accepted",
        arguments: [
            #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":{"title":"a"}}}"#,
            #"{"aps":{"alert":{"subtitle":"a"}}}"#,
            #"{"aps":{"alert":{"body":"a"}}}"#, #"{"aps":{"alert":{"loc-key":"a"}}}"#,
            #"{"aps":{"alert":{"title-loc-key":"a"}}}"#,
            #"{"aps":{"alert":{"title":"","body":"a"}}}"#,
            #"{"aps":{"\u0061lert":"a"}}"#,
        ])
    func anAlertWithTextIsAccepted(json: String) throws {
        #expect(try code(json) == nil)
    }

    @Test(
        "An alert without text is rejected",
        arguments: [
            #"{"aps":{}}"#, #"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{}}}"#,
            #"{"aps":{"alert":{"title":""}}}"#,
            #"{"aps":{"alert":{"launch-image":"a"}}}"#, #"{"aps":{"badge":1}}"#,
        ])
    func anAlertWithoutTextIsRejected(json: String) throws {
        #expect(try code(json) == .noAlertText)
    }

    @Test(
        "A payload with values of the wrong type is rejected",
        arguments: [
            "{}", #"{"aps":[]}"#, #"{"aps":null}"#, #"{"aps":"secret"}"#, #"{"aps":{"alert":1}}"#,
            #"{"aps":{"alert":["secret"]}}"#,
            #"{"aps":{"alert":{"title":1,"body":"secret"}}}"#, #"{"alert":"secret"}"#,
        ])
    func aPayloadWithValuesOfTheWrongTypeIsRejected(json: String) throws {
        #expect(try code(json) == .invalidPayload)
    }

    @Test(
        "JSON that is not strict is rejected",
        arguments: [
            "", "secret", "[]", #"{"aps":{"alert":"secret"},}"#,
            #"{"aps":{"alert":"secret"},"aps":{}}"#,
            #"{"aps":{"alert":"secret"}} x"#, "\u{FEFF}{}",
        ])
    func jsonThatIsNotStrictIsRejected(json: String) throws {
        #expect(try code(json) == .malformedJSON)
    }

    @Test("A sealed payload is not sealed again") func aSealedPayloadIsNotSealedAgain() throws {
        #expect(try code(#"{"aps":{"alert":"a"},"ENCRYPTED_DATA":"x"}"#) == .alreadySealed)
        #expect(try code(#"{"aps":{"alert":"a"},"ENCRYPTED\u005fDATA":1}"#) == .alreadySealed)
        // In other dictionaries the name has no meaning.
        #expect(try code(#"{"aps":{"alert":"a"},"k":{"ENCRYPTED_DATA":"x"}}"#) == nil)
    }

    @Test(
        "A payload with the key of the receipt is rejected",
        arguments: [
            (PushType.alert, #"{"aps":{"alert":"a"},"pushcrypt.receipt":"secret"}"#),
            (.alert, #"{"aps":{"alert":"a"},"pushcrypt.receip\u0074":null}"#),
            (.alert, #"{"collapse-ids":["a"],"pushcrypt.receipt":"secret"}"#),
            (.background, #"{"aps":{"content-available":1},"pushcrypt.receipt":"secret"}"#),
            (.voip, #"{"pushcrypt.receipt":"secret"}"#),
            (.location, #"{"pushcrypt.receipt":"secret"}"#),
            (.pushToTalk, #"{"pushcrypt.receipt":"secret"}"#),
            (
                .liveActivity,
                #"{"aps":{"event":"end","content-state":{}},"pushcrypt.receipt":"secret"}"#
            ),
        ])
    func aPayloadWithTheKeyOfTheReceiptIsRejected(type: PushType, json: String) throws {
        #expect(throws: PushCryptError.self) {
            try Sealer(.anonymous, ignoredRules: Set(Rule.all.map(\.id)))
                .prepare(json: json.utf8, headers: APNsHeaders(type))
        }
        do {
            _ = try Sealer(.anonymous).prepare(json: json.utf8, headers: APNsHeaders(type))
        } catch {
            #expect(error.code == .invalidPayload)
            #expect(error.reason.contains("pushcrypt.receipt"))
            #expect(!error.reason.contains("secret"))
        }
    }

    @Test("The key of the receipt has no meaning in another dictionary")
    func theKeyOfTheReceiptElsewhere() throws {
        #expect(try code(#"{"aps":{"alert":"a"},"k":{"pushcrypt.receipt":"x"}}"#) == nil)
        #expect(try code(#"{"aps":{"alert":"a"},"PushCrypt.receipt":"x"}"#) == nil)
    }

    @Test("A background push must be silent") func aBackgroundPushMustBeSilent() throws {
        #expect(try code(#"{"aps":{"content-available":1},"k":1}"#, type: .background) == nil)
        #expect(try code(#"{"aps":{"content-available":true}}"#, type: .background) == nil)
        #expect(
            try code(#"{"aps":{"content-available":10}}"#, type: .background) == .invalidPayload)
        #expect(try code(#"{"aps":{}}"#, type: .background) == .invalidPayload)
        for key in ["alert", "badge", "sound"] {
            #expect(
                try code(#"{"aps":{"content-available":1,"\#(key)":1}}"#, type: .background)
                    == .invalidPayload)
        }
    }

    @Test("A VoIP push needs no aps") func aVoipPushNeedsNoAps() throws {
        for type in [PushType.voip, .location, .pushToTalk] {
            #expect(try code(#"{"caller":"x"}"#, type: type) == nil)
            #expect(try code(#"{"aps":1}"#, type: type) == .invalidPayload)
        }
    }
}
