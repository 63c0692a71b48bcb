import Foundation
import PushCryptApple
import PushCryptTesting
import Testing
import UserNotifications

/// Requests of the system and their content, on Linux with stand-ins of Apple's classes.
@Suite struct HandlingRequestsTests {
    private let device: RecipientPrivateKey

    init() throws {
        device = try TestKeys.device()
    }

    /// Returns the system's request for a payload.
    private func request(_ payload: [UInt8]) throws -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.body = "(Encrypted)"
        content.title = "placeholder"
        content.categoryIdentifier = "delivered"
        content.sound = .default
        let object = try JSONSerialization.jsonObject(with: Data(payload))
        content.userInfo = try #require(object as? [String: Any])
        return UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    }

    private func inbox(keepsDeliveredAttributes: Bool = false) -> PushInbox {
        var configuration = PushConfiguration(
            keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.keepsUserInfoSealed = false
        configuration.keepsDeliveredAttributes = keepsDeliveredAttributes
        return PushInbox(configuration, timer: TestClock())
    }

    private func handle(_ payload: [UInt8]) throws -> [UNNotificationContent] {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var contents: [UNNotificationContent] = []
        inbox().handle(try request(payload)) { content in
            unsafe contents.append(content)
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 600) == .success)
        return unsafe contents
    }

    @Test("The original replaces the placeholder") func originalReplacesThePlaceholder() throws {
        let json = """
            {"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l"},"badge":7,\
            "sound":{"critical":1,"name":"a.caf","volume":0.5},"thread-id":"th","category":"c","target-content-id":"w",\
            "interruption-level":"critical","relevance-score":0.5,"filter-criteria":"f"},"k":[1,null,{"x":true}]}
            """
        let push = try Sealer(.anonymous).seal(json: json.utf8, for: device.publicKey)
        let contents = try handle(push.payload)
        #expect(contents.count == 1)
        let content = try #require(contents.first)
        #expect([content.title, content.subtitle, content.body] == ["t", "s", "b"])
        #expect(content.badge == 7)
        #expect(
            content.sound
                == .criticalSoundNamed(UNNotificationSoundName("a.caf"), withAudioVolume: 0.5))
        #expect(content.threadIdentifier == "th")
        #expect(content.categoryIdentifier == "c")
        #expect(content.targetContentIdentifier == "w")
        #expect(content.interruptionLevel == .critical)
        #expect(content.relevanceScore == 0.5)
        #expect(content.filterCriteria == "f")
        #if !os(macOS)
        #expect(content.launchImageName == "l")
        #endif
        #expect(content.userInfo["ENCRYPTED_DATA"] == nil)
        let custom = try #require(content.userInfo["k"] as? [Any])
        #expect(custom.first as? Int64 == 1)
        #expect(custom.count == 2, "A property list can't contain null.")
    }

    /// Returns a request whose every attribute an outsider has chosen.
    private func decorated(_ payload: [UInt8]) throws -> UNNotificationRequest {
        let request = try request(payload)
        let content = try #require(request.content.mutableCopy() as? UNMutableNotificationContent)
        content.badge = 9
        content.sound = .criticalSoundNamed(UNNotificationSoundName("siren.caf"))
        content.threadIdentifier = "delivered"
        content.targetContentIdentifier = "delivered"
        content.interruptionLevel = .critical
        content.relevanceScore = 1
        content.filterCriteria = "delivered"
        #if !os(macOS)
        content.launchImageName = "delivered"
        #endif
        return UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    }

    @Test("An outsider can't decorate an authentic text", arguments: [false, true])
    func outsiderCantDecorateAnAuthenticText(keepsDeliveredAttributes: Bool) throws {
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"b"}}"#.utf8, for: device.publicKey)
        let recorder = ContentRecorder()
        let request = try decorated(push.payload)
        inbox(keepsDeliveredAttributes: keepsDeliveredAttributes)
            .handle(request, contentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect([content.title, content.subtitle, content.body] == ["", "", "b"])
        let expected = keepsDeliveredAttributes ? request.content : UNMutableNotificationContent()
        #expect(content.badge == expected.badge && content.sound == expected.sound)
        #expect(content.threadIdentifier == expected.threadIdentifier)
        #expect(content.categoryIdentifier == expected.categoryIdentifier)
        #expect(content.targetContentIdentifier == expected.targetContentIdentifier)
        #expect(content.interruptionLevel == (keepsDeliveredAttributes ? .critical : .active))
        #expect(content.relevanceScore == expected.relevanceScore)
        #expect(content.filterCriteria == expected.filterCriteria)
        #if !os(macOS)
        #expect(content.launchImageName == expected.launchImageName)
        #endif
    }

    @Test("The fallback has no category, and the default sound") func fallbackHasNoCategory() throws
    {
        let recorder = ContentRecorder()
        inbox().handle(
            try decorated(Array(#"{"aps":{"alert":"evil"},"k":1}"#.utf8)),
            contentHandler: recorder.handler)
        let loud = try #require(recorder.wait())
        #expect(loud.sound == .default && loud.categoryIdentifier.isEmpty)
        let contents = try handle(Array(#"{"aps":{"alert":"evil"},"k":1}"#.utf8))
        let content = try #require(contents.first)
        #expect([content.title, content.subtitle, content.body] == ["", "", "(Encrypted)"])
        #expect(content.sound == .default)
        #expect(
            Set(content.userInfo.keys) == ["aps"], "An attacker may have chosen the other members.")
    }

    @Test(
        "Sounds are translated to the system's",
        arguments: [
            (NotificationSound.normal(nil), "default"), (.normal("a"), "named a"),
            (.critical(nil, volume: nil), "critical default"),
            (.critical("a", volume: nil), "critical a"),
        ])
    func soundsAreTranslatedToTheSystems(sound: NotificationSound, kind: String) {
        var content = NotificationContent(body: "b")
        content.sound = sound
        let shown = content.systemContent(replacing: UNMutableNotificationContent()).sound
        let expected: UNNotificationSound =
            switch kind {
            case "default": .default
            case "critical default": .defaultCritical
            case "named a": UNNotificationSound(named: UNNotificationSoundName("a"))
            default: .criticalSoundNamed(UNNotificationSoundName("a"))
            }
        #expect(shown == expected)
    }

    @Test(
        "Numbers outside of the system's range become the nearest ones",
        arguments: [(-1.0, 0.0), (0.25, 0.25), (1e300, 1.0)])
    func numbersOutsideOfTheSystemsRangeBecomeTheNearestOnes(given: Double, taken: Double) {
        var content = NotificationContent(body: "b")
        content.relevanceScore = given
        content.sound = .critical("a", volume: given)
        let shown = content.systemContent(replacing: UNMutableNotificationContent())
        #expect(shown.relevanceScore == taken)
        #expect(
            shown.sound
                == .criticalSoundNamed(UNNotificationSoundName("a"), withAudioVolume: Float(taken)))
        content.sound = .critical(nil, volume: given)
        let standard = content.systemContent(replacing: UNMutableNotificationContent()).sound
        #expect(standard == .defaultCriticalSound(withAudioVolume: Float(taken)))
    }

    @Test("Interruption levels survive a round trip", arguments: InterruptionLevel.allCases)
    func interruptionLevelsSurviveARoundTrip(level: InterruptionLevel) {
        var content = NotificationContent(body: "b")
        content.interruptionLevel = level
        let shown = content.systemContent(replacing: UNMutableNotificationContent())
        #expect(NotificationContent(shown).interruptionLevel == level)
    }

    @Test("Attachments are removed", arguments: [true, false]) func attachmentsAreRemoved(
        isOpened: Bool
    ) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pushcrypt-\(UUID().uuidString).png")
        try Data([1]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let delivered = UNMutableNotificationContent()
        delivered.body = "(Encrypted)"
        delivered.attachments = [
            try UNNotificationAttachment(identifier: "1", url: file, options: nil)
        ]
        if isOpened {
            let push = try Sealer(.anonymous).seal(
                json: #"{"aps":{"alert":"b"}}"#.utf8, for: device.publicKey)
            let object = try JSONSerialization.jsonObject(with: Data(push.payload))
            delivered.userInfo = try #require(object as? [String: Any])
        }
        let recorder = ContentRecorder()
        inbox().handle(
            UNNotificationRequest(identifier: "1", content: delivered, trigger: nil),
            contentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(content.body == (isOpened ? "b" : "(Encrypted)") && content.attachments.isEmpty)
    }
}
