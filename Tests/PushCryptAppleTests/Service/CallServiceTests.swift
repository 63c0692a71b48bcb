// A test can only create stand-ins. The system creates the real objects.
#if !canImport(Darwin)
import CallKit
import Foundation
import PushCryptApple
import PushCryptSystem
import PushCryptTesting
import PushKit
import Testing
import UserNotifications

/// The code of the article "Calls, background pushes, location and widgets", on the service of the
/// tests.
private enum Article {
    typealias SealedNotificationService = TestService

    nonisolated final class CallService: SealedNotificationService {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler show: @escaping (UNNotificationContent) -> Void
        ) {
            let call = request.content.userInfo
            guard (try? configuration.opener.open(userInfo: call, as: [.voip])) != nil else {
                return super.didReceive(request, withContentHandler: show)
            }
            nonisolated(unsafe) let answer = { (isCall: Bool) in
                if isCall {
                    show(UNNotificationContent())
                } else {
                    super.didReceive(request, withContentHandler: show)
                }
            }
            CXProvider.reportNewIncomingVoIPPushPayload(call) { error in
                unsafe answer(error == nil)
            }
        }
    }
}

/// Calls in alert pushes.
@Suite struct CallServiceTests {
    private let requests: Requests
    private let setting: TestService.Setting

    init() throws {
        requests = try Requests()
        setting = TestService.Setting(
            keys: InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]))
    }

    private func request(as kind: MessageKind?) throws -> UNNotificationRequest {
        let push = try Sealer(.signed(by: requests.server)).seal(
            json: #"{"aps":{"alert":"text"},"caller":"Anna"}"#.utf8, for: requests.device.publicKey,
            as: kind)
        return try requests.request(push.data)
    }

    private func shown(_ kind: MessageKind?, by service: TestService) throws
        -> UNNotificationContent?
    {
        let recorder = ContentRecorder()
        service.didReceive(try request(as: kind), withContentHandler: recorder.handler)
        return recorder.wait()
    }

    @Test("The article's code is the code of these tests") func articleIsRun() throws {
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = "Sources/PushCryptApple/PushCryptApple.docc/VoIPBackgroundPushesAndWidgets.md"
        let article = try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
        // An app's project doesn't have the setting that asks for this word.
        let own = try String(contentsOfFile: #filePath, encoding: .utf8).replacing(
            "unsafe answer", with: "answer")
        let block = try #require(
            article.components(separatedBy: "```swift\n").first {
                $0.hasPrefix("nonisolated final class CallService")
            }
        )
        let code = block.components(separatedBy: "\n```")[0].split(separator: "\n").map {
            "    " + $0
        }
        #expect(own.contains(code.joined(separator: "\n")))
    }

    @Test("The extension starts a call and shows nothing, and shows any other message")
    func extensionStartsCall() throws {
        #expect(try shown(.voip, by: Article.CallService(setting))?.body == "")
        #expect(try shown(nil, by: Article.CallService(setting))?.body == "text")
    }

    @Test("If the system refuses the call, the fallback is displayed once")
    func refusedCallShowsTheFallback() throws {
        let request = try request(as: .voip)
        let call = request.content.userInfo
        TestCalls.current.refuse(call)
        let recorder = ContentRecorder()
        let service = Article.CallService(setting)
        service.didReceive(request, withContentHandler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        #expect(TestCalls.current.reports(call) == 1)
        #expect(eventually { service.events.withLock { $0 } == ["wrong-kind"] })
        #expect(recorder.contents.count == 1)
        // The next call isn't affected.
        #expect(try shown(.voip, by: service)?.body == "")
    }

    @Test("An extension that starts no calls shows the fallback for a call")
    func callIsNotification() throws {
        #expect(try shown(.voip, by: TestService(setting))?.body == "(Encrypted)")
    }

    @Test("The app opens the payload of the extension's call as a VoIP push") func appOpensCall()
        throws
    {
        let payload = PKPushPayload(
            type: .voIP, dictionaryPayload: try request(as: .voip).content.userInfo)
        let reader = try setting.inbox.read(payload)
        #expect(try reader.custom("caller", as: String.self) == "Anna")
    }
}
#endif
