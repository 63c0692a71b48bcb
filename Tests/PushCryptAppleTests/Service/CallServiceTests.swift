// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import CallKit
import Foundation
import PushCryptApple
import PushCryptTesting
import PushKit
import Testing
import UserNotifications

/// An extension that starts calls, as in the article "Calls, background pushes, location and widgets".
private final class CallService: TestService {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void
    ) {
        let opener = Opener(accounts: accounts, replayGuard: replayGuard)
        let sealed = request.content.userInfo
        guard (try? opener.open(userInfo: sealed, as: [.voip])) != nil else {
            super.didReceive(request, withContentHandler: handler)
            return
        }
        CXProvider.reportNewIncomingVoIPPushPayload(sealed)
        handler(UNNotificationContent())
    }
}

/// Calls in alert pushes.
@Suite struct CallServiceTests {
    private let requests: Requests
    private let setting: TestService.Setting

    init() throws {
        requests = try Requests()
        setting = TestService.Setting(
            keys: InMemoryKeyStore([requests.device]), senderPolicy: .signed(by: [requests.server.publicKey]))
    }

    private func request(as kind: MessageKind?) throws -> UNNotificationRequest {
        let push = try Sealer(.signed(by: requests.server)).seal(
            json: #"{"aps":{"alert":"text"},"caller":"Anna"}"#.utf8, for: requests.device.publicKey, as: kind)
        return try requests.request(push.data)
    }

    private func shown(_ kind: MessageKind?, by service: TestService) throws -> UNNotificationContent? {
        let recorder = ContentRecorder()
        service.didReceive(try request(as: kind), withContentHandler: recorder.handler)
        return recorder.wait()
    }

    @Test("The extension starts a call and shows nothing, and shows any other message")
    func extensionStartsCall() throws {
        #expect(try shown(.voip, by: CallService(setting))?.body == "")
        #expect(try shown(nil, by: CallService(setting))?.body == "text")
    }

    @Test("An extension that starts no calls shows the fallback for a call") func callIsNotification() throws {
        #expect(try shown(.voip, by: TestService(setting))?.body == "(Encrypted)")
    }

    @Test("The app opens the payload of the extension's call as a VoIP push") func appOpensCall() throws {
        let payload = PKPushPayload(type: .voIP, dictionaryPayload: try request(as: .voip).content.userInfo)
        let opener = Opener(keys: setting.keys, senderPolicy: setting.senderPolicy)
        let reader = try PayloadReader(payload, opener: opener, unsealed: .reject)
        #expect(try reader.custom("caller", as: String.self) == "Anna")
    }
}
#endif
