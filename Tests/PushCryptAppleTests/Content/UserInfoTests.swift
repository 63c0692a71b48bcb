import Foundation
import PushCryptApple
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

/// The dictionary that the system keeps of an opened notification.
@Suite struct UserInfoTests {
    private static let json = #"""
        {"aps":{"alert":{"title":"t","body":"b"},"badge":0},"one":1,"yes":true,"zero":0,"no":false,"low":-9223372036854775808,\#
        "high":18446744073709551615,"half":0.5,"text":"1","none":null,"list":[1,null,true,[0,false],{"a":null,"b":"\u00e9"}],\#
        "empty":{},"nothing":[]}
        """#

    private let configuration: PushConfiguration
    private let push: SealedPush

    init() throws {
        let device = try TestKeys.device()
        configuration = PushConfiguration(keys: InMemoryKeyStore([device]), senderPolicy: .anyone)
        push = try Sealer(.anonymous).seal(json: Self.json.utf8, for: device.publicKey)
    }

    /// Returns the content that the system keeps.
    private func kept(keepingSealed: Bool) throws -> UNNotificationContent {
        let delivered = UNMutableNotificationContent()
        delivered.body = "(Encrypted)"
        delivered.userInfo = try #require(
            try JSONSerialization.jsonObject(with: push.data) as? [String: Any])
        var configuration = configuration
        configuration.keepsUserInfoSealed = keepingSealed
        let shown = PushInbox(configuration).open(
            DeliveredNotification(
                content: NotificationContent(delivered), userInfo: delivered.userInfo))
        return shown.content.systemContent(replacing: delivered)
    }

    @Test("The app reads the dictionary that the extension opened")
    func appReadsTheDictionaryThatTheExtensionOpened()
        throws
    {
        let userInfo = try kept(keepingSealed: false).userInfo
        let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .allow)
        #expect(!reader.isOpened)
        #expect(
            String(decoding: reader.json, as: UTF8.self) == """
                {"aps":{"alert":{"body":"b","title":"t"},"badge":0},"empty":{},"half":0.5,"high":18446744073709551615,\
                "list":[1,true,[0,false],{"b":"é"}],"low":-9223372036854775808,"no":false,"nothing":[],"one":1,"text":"1",\
                "yes":true,"zero":0}
                """)
        #expect(try reader.custom("one", as: Int.self) == 1)
        #expect(try reader.custom("yes", as: Bool.self))
        #expect(
            refusal { try PayloadReader(userInfo: userInfo, opener: opener, unsealed: .reject) }
                == .notSealed)
    }

    @Test("The app opens the dictionary that the extension kept sealed")
    func appOpensTheDictionaryThatTheExtensionKeptSealed() throws {
        let userInfo = try kept(keepingSealed: true).userInfo
        for policy in [UnsealedPayloads.reject, .allow] {
            let reader = try PayloadReader(userInfo: userInfo, opener: opener, unsealed: policy)
            #expect(reader.isOpened)
            #expect(String(decoding: reader.json, as: UTF8.self) == Self.json)
        }
    }

    private var opener: Opener { configuration.opener }

    private func refusal(_ body: () throws -> PayloadReader) -> PushCryptError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PushCryptError)?.code
        }
    }
}
