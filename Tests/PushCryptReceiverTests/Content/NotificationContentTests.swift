import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct NotificationContentTests {
    private func members(_ json: String) throws -> [String: JSONValue] {
        try #require(try JSONValue(parsing: Array(json.utf8)).objectValue)
    }

    private let placeholder: NotificationContent = {
        var content = NotificationContent(
            title: "placeholder", subtitle: "placeholder", body: "(Encrypted)")
        content.categoryIdentifier = "delivered"
        content.badge = 1
        return content
    }()

    @Test("The original's texts replace all of the placeholder's")
    func originalsTextsReplaceAllOfThePlaceholders()
        throws
    {
        let content = placeholder.replaced(by: try members(#"{"aps":{"alert":{"body":"b"}}}"#))
        #expect(content.title == "")
        #expect(content.subtitle == "")
        #expect(content.body == "b")
        #expect(placeholder.replaced(by: try members(#"{"aps":{"alert":"only"}}"#)).body == "only")
    }

    @Test("Each property of the original is set") func eachPropertyOfTheOriginalIsSet() throws {
        let json = """
            {"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l.png"},"badge":7,"sound":"chime.caf",\
            "thread-id":"th","category":"c","target-content-id":"w","interruption-level":"time-sensitive",\
            "relevance-score":0.5,"filter-criteria":"f"},"k":1}
            """
        let content = placeholder.replaced(by: try members(json))
        #expect(content.title == "t")
        #expect(content.subtitle == "s")
        #expect(content.body == "b")
        #expect(content.launchImageName == "l.png")
        #expect(content.badge == 7)
        #expect(content.sound == .normal("chime.caf"))
        #expect(content.threadIdentifier == "th")
        #expect(content.categoryIdentifier == "c")
        #expect(content.targetContentIdentifier == "w")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.relevanceScore == 0.5)
        #expect(content.filterCriteria == "f")
        #expect(try content.originalPayload == members(json))
    }

    /// Content in which every attribute differs from the default.
    private let decorated: NotificationContent = {
        var content = NotificationContent(
            title: "placeholder", subtitle: "placeholder", body: "(Encrypted)")
        content.badge = 1
        content.sound = .delivered
        content.threadIdentifier = "delivered"
        content.categoryIdentifier = "delivered"
        content.targetContentIdentifier = "delivered"
        content.interruptionLevel = .critical
        content.relevanceScore = 0.75
        content.filterCriteria = "delivered"
        content.launchImageName = "delivered"
        return content
    }()

    @Test("An attribute that the original doesn't have is reset")
    func attributeThatTheOriginalDoesntHaveIsReset()
        throws
    {
        let payload = try members(#"{"aps":{"alert":"b"}}"#)
        var expected = NotificationContent(body: "b")
        expected.originalPayload = payload
        #expect(decorated.replaced(by: payload) == expected)
    }

    @Test("An option keeps the delivered attributes, but no text")
    func optionKeepsTheDeliveredAttributes() throws {
        let payload = try members(#"{"aps":{"alert":"b","badge":2}}"#)
        var expected = decorated
        (expected.title, expected.subtitle, expected.body, expected.badge) = ("", "", "b", 2)
        expected.originalPayload = payload
        #expect(decorated.replaced(by: payload, keepingDelivered: true) == expected)
    }

    @Test("The fallback has no category, and at most the default sound")
    func fallbackHasNoCategory() {
        for sound in [nil, .delivered, .normal("a"), .critical("a", volume: 1)]
            as [NotificationSound?]
        {
            var delivered = decorated
            delivered.sound = sound
            var expected = decorated
            (expected.title, expected.subtitle, expected.body) = ("", "", "text")
            expected.categoryIdentifier = ""
            expected.sound = sound == nil ? nil : .normal(nil)
            #expect(delivered.fallback("text") == expected)
        }
    }

    @Test("An envelope in the original isn't kept in userInfo")
    func envelopeInTheOriginalIsntKeptInUserInfo() throws {
        let original = try members(#"{"aps":{"alert":"b"},"ENCRYPTED_DATA":"x","k":1}"#)
        #expect(
            try SealedPlace(of: .apns).opened(original, adding: [:])
                == members(#"{"aps":{"alert":"b"},"k":1}"#))
    }

    @Test("An empty text counts as missing") func emptyTextCountsAsMissing() throws {
        let json = #"{"aps":{"alert":{"title":"","title-loc-key":"T","body":"","loc-key":"B"}}}"#
        let content = placeholder.replaced(by: try members(json))
        #expect([content.title, content.body] == ["T", "B"])
    }

    @Test("Localization keys are displayed without a table")
    func localizationKeysAreDisplayedWithoutATable() throws {
        let json = #"{"aps":{"alert":{"title-loc-key":"T","subtitle-loc-key":"S","loc-key":"B"}}}"#
        let content = placeholder.replaced(by: try members(json))
        #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
    }

    @Test(
        "Sounds are parsed",
        arguments: [
            (#""default""#, NotificationSound.normal(nil)),
            (#""a.caf""#, .normal("a.caf")),
            (#"{"name":"a.caf"}"#, .normal("a.caf")),
            (#"{"critical":0,"name":"default"}"#, .normal(nil)),
            (#"{"critical":1,"name":"default","volume":0.5}"#, .critical(nil, volume: 0.5)),
            (#"{"critical":1}"#, .critical(nil, volume: nil)),
            (#"{"critical":1,"name":"a.caf","volume":1}"#, .critical("a.caf", volume: 1)),
        ])
    func soundsAreParsed(json: String, sound: NotificationSound) throws {
        #expect(
            NotificationContent(delivered: try members(#"{"aps":{"sound":\#(json)}}"#)).sound
                == sound)
    }

    @Test("Values of the wrong type are ignored") func valuesOfTheWrongTypeAreIgnored() throws {
        let json =
            #"{"aps":{"alert":{"title":1,"body":"b"},"badge":"7","sound":3,"category":null,"relevance-score":"x"}}"#
        let content = NotificationContent(delivered: try members(json))
        #expect(content.title == "")
        #expect(content.body == "b")
        #expect(content.badge == nil)
        #expect(content.sound == nil)
        #expect(content.categoryIdentifier == "")
        #expect(content.relevanceScore == 0)
    }

    @Test(
        "Badges are integers",
        arguments: [
            ("0", 0), ("1", 1), ("3.0", 3), ("2147483648", 2_147_483_648), ("null", nil),
            ("1.5", nil), ("true", nil),
            ("[1]", nil),
        ] as [(String, Int?)])
    func badgesAreIntegers(json: String, badge: Int?) throws {
        let payload = try members(#"{"aps":{"alert":"b","badge":\#(json)}}"#)
        #expect(NotificationContent(delivered: payload).badge == badge)
        // An invalid badge counts as missing.
        #expect(placeholder.replaced(by: payload).badge == badge)
    }

    @Test("Each interruption level is set", arguments: InterruptionLevel.allCases)
    func eachInterruptionLevelIsSet(level: InterruptionLevel) throws {
        var delivered = placeholder
        delivered.interruptionLevel = level == .passive ? .critical : .passive
        let payload = try members(
            #"{"aps":{"alert":"b","interruption-level":"\#(level.rawValue)"}}"#)
        #expect(delivered.replaced(by: payload).interruptionLevel == level)
    }

    @Test(
        "An unknown interruption level counts as missing",
        arguments: [#""urgent""#, #""""#, #""Passive""#, "1", "null"])
    func unknownInterruptionLevelCountsAsMissing(json: String) throws {
        var delivered = placeholder
        delivered.interruptionLevel = .timeSensitive
        let payload = try members(#"{"aps":{"alert":"b","interruption-level":\#(json)}}"#)
        #expect(delivered.replaced(by: payload).interruptionLevel == .active)
    }

    @Test(
        "The relevance score is set", arguments: [("0", 0), ("1", 1), ("0.25", 0.25), ("2.5", 2.5)])
    func relevanceScoreIsSet(json: String, score: Double) throws {
        var delivered = placeholder
        delivered.relevanceScore = 0.75
        let payload = try members(#"{"aps":{"alert":"b","relevance-score":\#(json)}}"#)
        #expect(delivered.replaced(by: payload).relevanceScore == score)
    }

    @Test("An empty string replaces the delivered one") func emptyStringReplacesTheDeliveredOne()
        throws
    {
        var delivered = placeholder
        delivered.threadIdentifier = "delivered"
        delivered.launchImageName = "delivered"
        delivered.targetContentIdentifier = "delivered"
        delivered.filterCriteria = "delivered"
        let empty = #"""
            {"aps":{"alert":{"body":"b","launch-image":""},"thread-id":"","category":"","target-content-id":"",\#
            "filter-criteria":""}}
            """#
        let content = delivered.replaced(by: try members(empty))
        #expect(content.threadIdentifier.isEmpty)
        #expect(content.categoryIdentifier.isEmpty)
        #expect(content.launchImageName.isEmpty)
        #expect(content.targetContentIdentifier?.isEmpty == true)
        #expect(content.filterCriteria?.isEmpty == true)
    }

    @Test(
        "An invalid sound counts as missing",
        arguments: ["1", "null", "[]", "true", #"{"name":1,"critical":"1"}"#])
    func invalidSoundCountsAsMissing(json: String) throws {
        var delivered = placeholder
        delivered.sound = .normal("delivered")
        let content = delivered.replaced(
            by: try members(#"{"aps":{"alert":"b","sound":\#(json)}}"#))
        #expect(content.sound == (json.hasPrefix("{") ? .normal(nil) : nil))
    }

    @Test("A payload without aps has no text") func payloadWithoutApsHasNoText() throws {
        #expect(!placeholder.replaced(by: try members(#"{"k":1}"#)).hasText)
        for aps in ["1", "null", "[]", #""text""#] {
            #expect(!placeholder.replaced(by: try members(#"{"aps":\#(aps)}"#)).hasText)
        }
    }
}
