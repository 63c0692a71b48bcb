import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Pushes of other formats, which the app's own openers open.
@Suite(.ownThread) struct ForeignOpenerTests {
    private let own: ForeignPhone
    private var phone: DisplayPhone { own.phone }

    init() throws { own = try ForeignPhone() }

    private var bodies: [String] { phone.shown.map(\.content.body) }

    @Test("A push of a foreign format is displayed, and the app reads it")
    func foreignPushIsDisplayed() throws {
        let inbox = own.inbox()
        let outcome = try phone.deliver(own.home("It's open."), "1", with: inbox)
        #expect(
            outcome?.kind == .opened && outcome?.push?.account == "home"
                && outcome?.push?.isAuthenticated == true)
        #expect(bodies == ["It's open."])
        #expect(phone.sounds.withLock { $0 } == ["It's open.": 1])
        let reader = try inbox.read(try #require(phone.shown("1")).delivered)
        #expect(
            reader.state == .asSealed && reader.account == "home" && !reader.isGuarded
                && reader.push == nil)
        #expect(try reader.content().body == "It's open.")
    }

    @Test("A custom member of the original reaches the app") func customMembersReachTheApp() throws
    {
        let inbox = own.inbox()
        try phone.deliver(own.chat(own.message("Hi", thread: "family")), "1", with: inbox)
        let reader = try inbox.read(try #require(phone.shown("1")).delivered)
        #expect(try reader.custom("room", as: String.self) == "family")
        #expect(String(decoding: reader.json, as: UTF8.self).contains("chat") == false)
    }

    @Test("A push under another secret is the fallback") func wrongSecretIsTheFallback() throws {
        let inbox = own.inbox([HomeOpener(secret: [UInt8](repeating: 8, count: 32))])
        let outcome = try phone.deliver(own.home("It's open."), "1", with: inbox)
        #expect(outcome?.failure?.code == .foreignOpenerFailed)
        #expect(bodies == ["(Encrypted)"])
    }

    @Test("A message with an ID is recognized when it comes again; one without an ID isn't")
    func messageWithAnIDIsGuarded() throws {
        let inbox = own.inbox()
        for identifier in ["1", "2"] {
            try phone.deliver(own.home("once", tag: "7"), identifier, with: inbox)
        }
        #expect(phone.sounds.withLock { $0["once"] } == 1)
        #expect(bodies == ["once"])
        #expect(try inbox.read(try #require(phone.shown("2")).delivered).isGuarded)
        phone.clock.advance(by: 3601)
        #expect(try phone.deliver(own.home("once", tag: "7"), "3", with: inbox)?.kind == .replayed)
        for identifier in ["4", "5"] {
            try phone.deliver(own.home("twice"), identifier, with: inbox)
        }
        #expect(phone.sounds.withLock { $0["twice"] } == 2)
    }

    @Test("A withdrawal removes messages of its own format only")
    func withdrawalActsOnItsOwnFormat() throws {
        let inbox = own.inbox()
        try phone.deliver(own.chat(own.message("Hi", thread: "family")), "1", with: inbox)
        let sealed = #"{"aps":{"alert":{"title":"Bob","body":"sealed"},"thread-id":"family"}}"#
        try phone.deliver(phone.sealed(sealed), "2", with: inbox)
        phone.clock.advance(by: 10)
        #expect(
            try phone.deliver(own.chat("family", type: 2), "3", with: inbox)?.kind == .withdrawal)
        #expect(bodies == ["sealed"])
    }

    @Test("A withdrawal without an author doesn't act") func unauthenticatedWithdrawalDoesNotAct()
        throws
    {
        struct Anyone: ForeignOpener {
            let name = "chat"
            func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
                guard let thread = push["withdraw"]?.stringValue else {
                    return .message(
                        #"{"aps":{"alert":"Hi","thread-id":"t"}}"#, isAuthenticated: false)
                }
                return .withdrawal(Withdrawal(threadIDs: [thread]), isAuthenticated: false)
            }
        }
        let inbox = own.inbox([Anyone()])
        try phone.deliver(Array(#"{"aps":{"alert":"x"}}"#.utf8), "1", with: inbox)
        phone.clock.advance(by: 10)
        try phone.deliver(Array(#"{"aps":{"alert":"x"},"withdraw":"t"}"#.utf8), "2", with: inbox)
        #expect(bodies == ["Hi"])
    }

    @Test("A sealed push is never given to a foreign opener") func sealedPushIsNotForeign() throws {
        final class Spy: ForeignOpener {
            let name = "spy"
            let asked = LockedValue(0)
            func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
                asked.withLock { $0 += 1 }
                return nil
            }
        }
        let spy = Spy()
        let inbox = own.inbox([spy])
        try phone.deliver(phone.sealed(phone.message("Hi")), "1", with: inbox)
        try phone.deliver(
            Array(#"{"aps":{"alert":"x"},"ENCRYPTED_DATA":"AQ"}"#.utf8), "2", with: inbox)
        try phone.deliver(
            Array(#"{"aps":{"alert":"x"},"ENCRYPTED_DATA":7}"#.utf8), "3", with: inbox)
        #expect(spy.asked.withLock { $0 } == 0)
        #expect(
            try phone.deliver(Array(#"{"aps":{"alert":"x"}}"#.utf8), "4", with: inbox)?.failure?
                .code == .notSealed)
        #expect(spy.asked.withLock { $0 } == 1)
    }

    @Test("The first opener that knows the push decides, and one after its end isn't asked")
    func orderAndEndDecide() throws {
        struct Fixed: ForeignOpener {
            let name: String
            var end: Date?
            func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
                push["mine"]?.stringValue == "nobody"
                    ? nil : .message(#"{"aps":{"alert":"\#(name)"}}"#, isAuthenticated: true)
            }
        }
        let openers = [Fixed(name: "old", end: .example + 100), Fixed(name: "new")]
        let push = Array(#"{"aps":{"alert":"x"}}"#.utf8)
        try phone.deliver(push, "1", with: own.inbox(openers))
        phone.clock.advance(by: 101)
        try phone.deliver(push, "2", with: own.inbox(openers))
        #expect(bodies == ["old", "new"])
        let other = Array(#"{"aps":{"alert":"x"},"mine":"nobody"}"#.utf8)
        #expect(
            try phone.deliver(other, "3", with: own.inbox(openers))?.failure?.code == .notSealed)
    }

    @Test("The delivery log counts each format") func logCountsEachFormat() throws {
        let inbox = own.inbox()
        try phone.deliver(own.home("a"), "1", with: inbox)
        try phone.deliver(own.chat(own.message("b", thread: "t")), "2", with: inbox)
        try phone.deliver(own.home("c"), "3", with: inbox)
        phone.clock.advance(by: 100)
        let summary = try inbox.summary()
        #expect(summary.foreign == ["home": 2, "chat": 1] && summary.opened == 3)
    }

    @Test("The app's code decides about a foreign message, and customizes it")
    func appDecidesAndCustomizes() throws {
        let inbox = own.inbox()
        try phone.deliver(own.home("Hi"), "1", with: inbox) { content, push in
            var content = content
            content.title = "\(push.account) door"
            return content
        }
        #expect(phone.shown("1")?.content.title == "home door")
        #expect(try inbox.read(try #require(phone.shown("1")).delivered).state == .otherText)
        phone.shows.withLock { $0 = false }
        try phone.deliver(own.home("Unwanted"), "2", with: inbox)
        #expect(phone.shown("2") == nil)
    }

    @Test("The app opens a foreign push that the extension was killed over") func appCatchesUp()
        throws
    {
        try phone.displayUnchanged(
            own.home("Hi"), "1", as: NotificationContent(body: "(Encrypted)"))
        try phone.reopen(own.inbox())
        #expect(bodies == ["Hi"])
        #expect(phone.sounds.withLock { $0.isEmpty })
    }

    // MARK: Faults

    private func presented(
        _ opener: MisbehavingOpener, _ handler: @escaping @Sendable (Presented) -> Void
    ) throws -> PushInbox {
        let inbox = own.inbox([opener])
        let payload = Array(#"{"aps":{"alert":"A push"}}"#.utf8)
        let notification = DeliveredNotification(
            content: NotificationContent(body: "A push"), userInfo: try systemDictionary(payload),
            identifier: "1")
        let app = NeutralHost.App(log: { [own] event in own.events.withLock { $0.append(event) } })
        inbox.begin(notification, with: NeutralHost(notification, app: app), present: handler)
        return inbox
    }

    @Test(
        "A faulty opener leads to the fallback, exactly once",
        arguments: MisbehavingOpener.Fault.allCases)
    func faultyOpener(fault: MisbehavingOpener.Fault) throws {
        let expected: [MisbehavingOpener.Fault: PushCryptError.Code] = [
            .throwing: .foreignOpenerFailed, .hanging: .deadlinePassed, .late: .deadlinePassed,
            .noText: .noAlertText,
            .megabyte: .malformedMessage, .sealed: .malformedMessage, .notJSON: .malformedJSON,
        ]
        let (mayEnd, hasEnded) = (LockedValue(false), DispatchSemaphore(value: 0))
        var opener = MisbehavingOpener(fault: fault)
        opener.mayEnd = {
            while !mayEnd.withLock({ $0 }) { try? await Task.sleep(nanoseconds: 1_000_000) }
            hasEnded.signal()
        }
        let shown = LockedValue<[Presented]>([])
        let done = DispatchSemaphore(value: 0)
        let inbox = try presented(opener) { presented in
            shown.withLock { $0.append(presented) }
            done.signal()
        }
        if [.hanging, .late].contains(fault) {
            usleep(20_000)
            phone.clock.advance(by: 20)
        }
        done.wait()
        mayEnd.withLock { $0 = true }
        if fault == .late { hasEnded.wait() }
        inbox.expire()
        usleep(20_000)
        let result = shown.withLock { $0 }
        #expect(result.count == 1)
        if let code = expected[fault] {
            #expect(
                result.first?.content.body == "(Encrypted)"
                    && result.first?.outcome.failure?.code == code)
        } else {
            #expect(result.first?.content.body == "first")
        }
        #expect(own.events.withLock { $0.allSatisfy { !"\($0)".contains("secret") } })
    }

    @Test(
        "An opener's name that isn't valid is an error of the configuration",
        arguments: ["", "Chat", "a b", "é"])
    func invalidNames(name: String) throws {
        struct Named: ForeignOpener {
            let name: String
            func open(_ push: ForeignPush) async throws -> ForeignOriginal? { nil }
        }
        let code = own.inbox([Named(name: name)]).prepare()?.code
        #expect(code == .invalidConfiguration)
        #expect(
            own.inbox([Named(name: "chat"), Named(name: "chat")]).prepare()?.code
                == .invalidConfiguration)
        #expect(own.inbox([Named(name: "chat-2")]).prepare() == nil)
    }
}
