import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing
import UserNotifications

@testable import PushCryptApple
@testable import PushCryptReceiver

/// A subclass of the service, which displays each request once.
@Suite(.ownThread) struct SealedNotificationServiceTests {
    private let requests: Requests
    private let scratch: Scratch

    private var directory: String { scratch.path }

    init() throws {
        requests = try Requests()
        scratch = try Scratch()
    }

    private var setting: TestService.Setting {
        TestService.Setting(
            keys: InMemoryKeyStore([requests.device]),
            senderPolicy: .signed(by: [requests.server.publicKey]))
    }

    private func show(_ request: UNNotificationRequest, _ service: TestService) throws
        -> UNNotificationContent
    {
        let recorder = ContentRecorder()
        service.didReceive(request, withContentHandler: recorder.handler)
        let content = try #require(recorder.wait())
        #expect(eventually { service.events.withLock { $0.contains("shown") || $0.count > 0 } })
        #expect(recorder.contents.count == 1)
        return content
    }

    // MARK: Configuration

    @Test("The original is displayed") func originalIsDisplayed() throws {
        let content = try show(requests.sealed("text"), TestService(setting))
        #expect(content.title == "title" && content.body == "text")
        #expect(content.userInfo["ENCRYPTED_DATA"] == nil && content.userInfo["k"] != nil)
    }

    @Test("An invalid verification key makes the policy reject messages")
    func invalidVerificationKeyMakesThePolicyRejectMessages() throws {
        var setting = setting
        setting.senderPolicy = .signed(by: requests.server.publicKey.jwk, "no key")
        let service = TestService(setting)
        #expect(try show(requests.sealed("text"), service).body == "(Encrypted)")
        // The configuration's error, and the reason for the fallback.
        #expect(
            eventually { service.events.withLock { $0 } == ["malformed-jwk", "malformed-jwk"] })
        setting.senderPolicy = .signed(by: requests.server.publicKey.jwk)
        #expect(try show(requests.sealed("text"), TestService(setting)).body == "text")
    }

    @Test("The configuration is read once for each instance")
    func configurationIsReadOnceForEachInstance() throws {
        let service = TestService(setting)
        for number in 0..<5 {
            #expect(try show(requests.sealed("text \(number)"), service).body == "text \(number)")
        }
        #expect(service.reads.withLock { $0 } == 1)
    }

    @Test("The subclass chooses policies and texts") func subclassChoosesPoliciesAndTexts() throws {
        var setting = setting
        setting.fallback = FallbackText("Neue Nachricht")
        let plain = try requests.request(
            Data(#"{"aps":{"alert":"plain"},"k":1}"#.utf8), body: "plain")
        #expect(try show(plain, TestService(setting)).body == "Neue Nachricht")
        setting.unsealedPayloads = .allow
        setting.keepsUserInfoSealed = true
        #expect(try show(plain, TestService(setting)).body == "plain")
        let kept = try show(requests.sealed("text"), TestService(setting))
        #expect(
            kept.body == "text" && kept.userInfo["ENCRYPTED_DATA"] != nil
                && kept.userInfo["k"] == nil)
    }

    // MARK: Shared directory

    @Test("A message is displayed once across instances")
    func messageIsDisplayedOnceAcrossInstances() throws {
        var setting = setting
        setting.directory = directory
        let inbox = setting.inbox
        #expect(inbox.prepare() == nil)
        let request = try requests.sealed("text")
        let first = try show(request, TestService(setting))
        #expect(first.body == "text" && first.badge == 3)
        let second = TestService(setting)
        let repeated = try show(request, second)
        #expect(repeated.body == "text" && repeated.badge == nil && repeated.sound == nil)
        #expect(repeated.interruptionLevel == .passive)
        #expect(eventually { second.events.withLock { $0 } == ["shown"] })
        let entries = try #require(inbox.store).deliveryLog.entries()
        #expect(entries.map(\.outcome) == [.opened, .repeated])
        #expect(entries.allSatisfy { $0.fingerprint != nil && $0.hasReceipt })
    }

    @Test("A missing directory doesn't hide the text") func missingDirectoryDoesntHideTheText()
        throws
    {
        var setting = setting
        setting.directory = directory + "/nowhere"
        let service = TestService(setting)
        #expect(try show(requests.sealed("text"), service).body == "text")
        #expect(
            eventually {
                service.events.withLock { Set($0) }
                    == ["shown", "replay-guard-unavailable", "delivery-log-unavailable"]
            })
    }

    /// A service whose app group isn't in the entitlements.
    private final class WithoutGroup: TestService {
        override var configuration: PushConfiguration {
            let group = [
                "PushCryptAppGroup": "group.com.example.missing",
                "PushCryptKeychainGroup": "com.example",
            ]
            var configuration = PushConfiguration(InfoPlist(group))
            configuration.accounts = setting.configuration.accounts
            configuration.secrets = setting.secrets
            return configuration
        }
    }

    @Test("A missing app group is reported once, and messages are displayed")
    func missingAppGroupIsReported() throws {
        let service = WithoutGroup(setting)
        let inbox = PushInbox(service.configuration)
        let problem = try #require(inbox.prepare())
        #expect(
            problem.code == .invalidConfiguration
                && problem.reason.contains("group.com.example.missing"))
        #expect(inbox.prepare()?.code == .invalidConfiguration, "The app sees it at each launch.")
        for number in 1...3 {
            #expect(try show(requests.sealed("text \(number)"), service).body == "text \(number)")
            let expected = ["invalid-configuration"] + [String](repeating: "shown", count: number)
            #expect(eventually { service.events.withLock { $0 } == expected })
        }
    }

    @Test("A service is released after its request") func serviceIsReleasedAfterItsRequest() throws
    {
        weak var left: TestService?
        for number in 0..<20 {
            let service = TestService(setting)
            left = service
            #expect(try show(requests.sealed("text \(number)"), service).body == "text \(number)")
        }
        // A process gets thousands of requests, each with its own instance.
        #expect(eventually { left == nil })
    }

    // MARK: Time

    @Test("An expiry before, during and after a request is harmless")
    func expiryBeforeDuringAndAfterARequestIsHarmless() throws {
        let store = TestKeyStore(.hanging)
        var setting = setting
        setting.keys = store
        let service = TestService(setting)
        service.serviceExtensionTimeWillExpire()
        let (first, second) = (ContentRecorder(), ContentRecorder())
        service.didReceive(try requests.sealed("text"), withContentHandler: first.handler)
        service.didReceive(try requests.sealed("text"), withContentHandler: second.handler)
        service.serviceExtensionTimeWillExpire()
        #expect(eventually { first.bodies == ["(Encrypted)"] && second.bodies == ["(Encrypted)"] })
        store.behavior = .keys([requests.device])
        for _ in 0..<2 { store.release() }
        #expect(try show(requests.sealed("later"), service).body == "later")
        service.serviceExtensionTimeWillExpire()
        #expect(first.contents.count == 1 && second.contents.count == 1)
    }

    @Test("The subclass chooses the deadline") func subclassChoosesTheDeadline() throws {
        let store = TestKeyStore(.hanging)
        var setting = setting
        setting.keys = store
        setting.deadline = 0.05
        #expect(try show(requests.sealed("text"), TestService(setting)).body == "(Encrypted)")
        store.release()
    }

    @Test("Overlapping requests don't mix") func overlappingRequestsDontMix() throws {
        let shared = TestService(setting)
        let recorders = (0..<60).map { _ in ContentRecorder() }
        let services = try recorders.enumerated().map { number, recorder in
            let service = number.isMultiple(of: 2) ? shared : TestService(setting)
            service.didReceive(
                try requests.sealed("text \(number)"), withContentHandler: recorder.handler)
            return service
        }
        for (number, recorder) in recorders.enumerated() {
            #expect(recorder.wait()?.body == "text \(number)")
        }
        for service in services { service.serviceExtensionTimeWillExpire() }
        #expect(recorders.allSatisfy { $0.contents.count == 1 })
    }

    /// A service whose first reading of the configuration blocks.
    private final class SlowToBegin: TestService {
        let isReading = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        private let isFirst = LockedValue(true)

        override var configuration: PushConfiguration {
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if first {
                isReading.signal()
                goOn.wait()
            }
            return super.configuration
        }
    }

    private struct Call: @unchecked Sendable {
        let run: () -> Void
    }

    @Test("An expiry reaches all of the first concurrent requests")
    func expiryReachesAllOfTheFirstConcurrentRequests()
        throws
    {
        let store = TestKeyStore(.hanging)
        var setting = setting
        setting.keys = store
        let service = SlowToBegin(setting)
        let (first, second) = (ContentRecorder(), ContentRecorder())
        let sealed = try (0..<2).map { try requests.sealed("\($0)") }
        let call = Call { service.didReceive(sealed[0], withContentHandler: first.handler) }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            call.run()
            done.signal()
        }
        service.isReading.wait()
        service.didReceive(sealed[1], withContentHandler: second.handler)
        service.goOn.signal()
        done.wait()
        service.serviceExtensionTimeWillExpire()
        #expect(eventually { first.bodies == ["(Encrypted)"] && second.bodies == ["(Encrypted)"] })
        for _ in 0..<2 { store.release() }
    }

    // MARK: A configuration that blocks

    @Test("If the configuration blocks, the expiry displays the standard fallback, once")
    func configurationThatBlocks() throws {
        var setting = setting
        setting.directory = directory
        setting.fallback = FallbackText("never read")
        let inbox = setting.inbox
        #expect(inbox.prepare() == nil)
        let service = SlowToBegin(setting)
        let recorder = ContentRecorder()
        let request = try requests.sealed("text")
        service.didReceive(request, withContentHandler: recorder.handler)
        service.isReading.wait()
        service.serviceExtensionTimeWillExpire()
        let content = try #require(recorder.contents.first)
        #expect(
            content.body == "(Encrypted)" && content.title.isEmpty && content.userInfo["k"] == nil)
        #expect(content.userInfo["ENCRYPTED_DATA"] != nil, "The app opens it when it's active.")
        service.serviceExtensionTimeWillExpire()
        service.goOn.signal()
        // The inbox works from now on, and the ended request doesn't begin: nothing of it is
        // recorded.
        #expect(try show(requests.sealed("later"), service).body == "later")
        #expect(recorder.bodies == ["(Encrypted)"])
        #expect(try #require(inbox.store).deliveryLog.entries().map(\.outcome) == [.opened])
        #expect(try show(request, service).body == "text")
        #expect(eventually { service.events.withLock { $0 } == ["shown", "shown"] })
    }

    @Test("A request ends before it begins, or begins before it ends")
    func requestEndsBeforeItBegins() throws {
        let content = try requests.sealed("text").content
        let ended = ContentRecorder()
        let first = StartingRequest(content, UncheckedSendable(value: ended.handler))
        first.schedule()
        for _ in 0..<2 { first.end() }
        #expect(first.begin() == nil && ended.bodies == ["(Encrypted)"])
        let begun = ContentRecorder()
        let second = StartingRequest(content, UncheckedSendable(value: begun.handler))
        second.schedule()
        let handler = try #require(second.begin())
        second.end()
        #expect(second.begin() == nil && begun.bodies.isEmpty)
        handler.value(content)
        #expect(begun.contents.count == 1)
    }

    @Test("One thread of several begins a request or ends it") func oneThreadBeginsOrEnds() throws {
        let content = try requests.sealed("text").content
        for _ in 0..<200 {
            let recorder = ContentRecorder()
            let starting = StartingRequest(content, UncheckedSendable(value: recorder.handler))
            let unsafe = UncheckedSendable(value: content)
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                if number.isMultiple(of: 2) {
                    starting.end()
                } else {
                    starting.begin()?.value(unsafe.value)
                }
            }
            #expect(recorder.contents.count == 1)
        }
    }
}
