import PushCryptTesting
import Testing

@Suite struct ContentFromPayloadTests {
    private func members(_ json: String) throws -> [String: JSONValue] {
        try #require(try JSONValue(parsing: Array(json.utf8)).objectValue)
    }

    private let placeholder: NotificationContent = {
        var content = NotificationContent(title: "placeholder", subtitle: "placeholder", body: "(Encrypted)")
        content.categoryIdentifier = "delivered"
        content.badge = 1
        return content
    }()

    @Test func theTextIsReplacedAndNeverMixed() throws {
        let content = placeholder.replaced(by: try members(#"{"aps":{"alert":{"body":"b"}}}"#))
        #expect(content.title == "")
        #expect(content.subtitle == "")
        #expect(content.body == "b")
        #expect(placeholder.replaced(by: try members(#"{"aps":{"alert":"only"}}"#)).body == "only")
    }

    @Test func everyPropertyOfTheOriginalIsSet() throws {
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
        #expect(content.sound == .named("chime.caf"))
        #expect(content.threadIdentifier == "th")
        #expect(content.categoryIdentifier == "c")
        #expect(content.targetContentIdentifier == "w")
        #expect(content.interruptionLevel == .timeSensitive)
        #expect(content.relevanceScore == 0.5)
        #expect(content.filterCriteria == "f")
        #expect(content.userInfo == .original(try members(json)))
    }

    @Test func whatTheOriginalLacksStaysAsDelivered() throws {
        let content = placeholder.replaced(by: try members(#"{"aps":{"alert":"b"}}"#))
        #expect(content.categoryIdentifier == "delivered")
        #expect(content.badge == 1)
        #expect(content.interruptionLevel == .active)
    }

    @Test func anEnvelopeInTheOriginalIsNotHandedOn() throws {
        let content = placeholder.replaced(by: try members(#"{"aps":{"alert":"b"},"ENCRYPTED_DATA":"x","k":1}"#))
        #expect(content.userInfo == .original(try members(#"{"aps":{"alert":"b"},"k":1}"#)))
    }

    @Test func anEmptyTextIsNoText() throws {
        let json = #"{"aps":{"alert":{"title":"","title-loc-key":"T","body":"","loc-key":"B"}}}"#
        let content = placeholder.replaced(by: try members(json))
        #expect([content.title, content.body] == ["T", "B"])
    }

    @Test func userInfoMayStaySealed() throws {
        let content = placeholder.replaced(by: try members(#"{"aps":{"alert":"b"},"k":1}"#), keepingSealed: true)
        #expect(content.userInfo == .asDelivered)
    }

    @Test func keysOfTheStringTableStandForThemselves() throws {
        let json = #"{"aps":{"alert":{"title-loc-key":"T","subtitle-loc-key":"S","loc-key":"B"}}}"#
        let content = placeholder.replaced(by: try members(json))
        #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
    }

    @Test(arguments: [
        (#""default""#, NotificationSound.standard),
        (#""a.caf""#, .named("a.caf")),
        (#"{"name":"a.caf"}"#, .named("a.caf")),
        (#"{"critical":0,"name":"default"}"#, .standard),
        (#"{"critical":1,"name":"default","volume":0.5}"#, .standardCritical(volume: 0.5)),
        (#"{"critical":1}"#, .standardCritical(volume: nil)),
        (#"{"critical":1,"name":"a.caf","volume":1}"#, .criticalNamed("a.caf", volume: 1)),
    ])
    func soundsAreRead(json: String, sound: NotificationSound) throws {
        #expect(
            NotificationContent(delivered: try members(#"{"aps":{"sound":\#(json)}}"#)).sound == sound)
    }

    @Test func valuesOfTheWrongTypeAreLeftOut() throws {
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
}
