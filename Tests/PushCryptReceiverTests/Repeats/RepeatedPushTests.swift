import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Pushes that come twice: honest doubles, and replays of an attacker.
@Suite(.ownThread) struct RepeatedPushTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    private func body(_ identifier: String) -> String? { phone.shown(identifier)?.content.body }

    @Test("A double displays the text again, silently, and the earlier notification is removed")
    func doubleDisplaysTheTextAgain() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.clock.advance(by: 3600)
        let outcome = try phone.deliver(payload, "2")
        #expect(
            outcome?.isRepeated == true && outcome?.failure == nil && outcome?.isDropped == false)
        #expect(phone.shown.map(\.identifier) == ["2"])
        let content = try #require(phone.shown("2")).content
        #expect(
            content.body == "Hi" && content.title == "Bob"
                && content.categoryIdentifier == "MESSAGE")
        #expect(
            content.sound == nil && content.badge == nil && content.interruptionLevel == .passive)
        #expect(phone.appRuns.withLock { $0 } == ["Hi": 1])
        #expect(phone.sounds.withLock { $0 } == ["Hi": 1])
        #expect(try phone.read("2").state == .asSealed)
    }

    @Test("A double displays what the app's extension has made of the text")
    func doubleKeepsTheCustomization() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1") { content, _ in
            var content = content
            content.title = "Robert"
            return content
        }
        try phone.deliver(payload, "2")
        #expect(phone.shown("2")?.content.title == "Robert")
        #expect(try phone.read("2").state == .otherText)
    }

    @Test(
        "A double of a notification that is gone displays the original under the choice of display")
    func doubleOfARemovedNotification() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.remove(["1"])
        try phone.store.prepare(display: .titleOnly)
        try phone.deliver(payload, "2")
        #expect(phone.shown("2")?.content.title == "Bob" && body("2") == "(Encrypted)")
        #expect(try phone.read("2").state == .reduced)
    }

    @Test("After an hour a copy displays the quietest text, and loses the sealed value")
    func lateCopyIsQuiet() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.clock.advance(by: 3601)
        let outcome = try phone.deliver(payload, "2")
        #expect(outcome?.failure?.code == .replayed)
        #expect(body("1") == "Hi" && body("2") == "(Removed)")
        #expect(throws: PushCryptError(.notSealed, "")) { try phone.read("2") }
        #expect(phone.sounds.withLock { $0 } == ["Hi": 1])
    }

    @Test("With the entitlement, a copy after an hour displays nothing") func lateCopyIsDropped()
        throws
    {
        let phone = try DisplayPhone(hasFilteringEntitlement: true)
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        phone.clock.advance(by: 3601)
        #expect(try phone.deliver(payload, "2")?.failure?.code == .replayed)
        #expect(phone.shown.map(\.identifier) == ["1"])
    }

    @Test(
        "A copy never replaces a readable text", arguments: [60.0, 3600, 3601, 40_000],
        [true, false])
    func copyNeverReplacesAReadableText(later: Double, keepsSealed: Bool) throws {
        let phone = try DisplayPhone(keepsUserInfoSealed: keepsSealed)
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "chat")
        phone.clock.advance(by: later)
        try phone.deliver(payload, "chat")
        #expect(phone.shown.map(\.content.body) == ["Hi"])
        #expect(try phone.read("chat").state == .asSealed)
        // Nor a newer one.
        try phone.deliver(phone.sealed(phone.message("Newer"), at: later), "chat")
        try phone.deliver(payload, "chat")
        #expect(phone.shown.map(\.content.body) == ["Newer"])
        #expect(phone.sounds.withLock { $0 } == ["Hi": 1, "Newer": 1])
    }

    @Test("A copy replaces an attacker's text") func copyReplacesAnAttackersText() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        try phone.displayUnchanged(
            payload, "chat", as: NotificationContent(title: "Anna", body: "The door code?"))
        try phone.deliver(payload, "chat")
        #expect(phone.shown.map(\.content.body) == ["Hi"])
    }

    @Test(
        "A copy of a withdrawn message isn't displayed, under any identifier",
        arguments: ["1", "2", "other"])
    func withdrawnMessageStaysWithdrawn(identifier: String) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        try phone.deliver(phone.sealed(#"{"collapse-ids":["1","2"]}"#, at: 1), "w")
        #expect(phone.shown("1") == nil)
        try phone.deliver(payload, identifier)
        #expect(!phone.shown.contains { $0.content.body == "Hi" })
    }

    @Test("A copy of a message that the app didn't want isn't displayed")
    func droppedMessageStaysDropped() throws {
        let payload = try phone.sealed(phone.message("A reaction"))
        phone.shows.withLock { $0 = false }
        try phone.deliver(payload, "1")
        phone.shows.withLock { $0 = true }
        try phone.deliver(payload, "2")
        #expect(!phone.shown.contains { $0.content.body == "A reaction" })
        #expect(phone.appRuns.withLock { $0 } == ["A reaction": 1])
    }

    @Test("A double shows no more than the user has chosen since") func doubleRespectsTheChoice()
        throws
    {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        try phone.store.prepare(display: .nothing)
        try phone.deliver(payload, "2")
        #expect(phone.shown.map(\.content.body) == ["(Encrypted)"])
        #expect(try phone.read("2").state == .reduced)
    }

    @Test("Copies under many identifiers don't displace other messages from the list")
    func manyCopiesDisplaceNothing() throws {
        var ledger = Ledger()
        func entry(_ identifier: String, _ message: UInt8) -> Ledger.Entry {
            let target = Ledger.Digest(Array(identifier.utf8))
            var entry = Ledger.Entry(account: [1], target: target, issuedAt: 1, end: 1000)
            entry.identifier = Array(identifier.utf8)
            entry.message = [message]
            return entry
        }
        _ = ledger.show(entry("other", 1), now: 1)
        for number in 0..<600 { _ = ledger.show(entry("\(number)", 2), now: UInt64(2 + number)) }
        #expect(ledger.entries.contains { $0.name == "other" })
        #expect(ledger.shownCount == 2)
    }

    @Test(
        "A double after a kill displays the text, aloud or not",
        arguments: DisplayPhone.Kill.allCases)
    func doubleAfterAKill(kill: DisplayPhone.Kill) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1", kill: kill)
        try phone.deliver(payload, "2")
        try phone.reopen()
        #expect(phone.shown.map(\.content.body) == ["Hi"])
        #expect(phone.sounds.withLock { $0["Hi"] ?? 0 } <= 1)
        #expect(phone.appRuns.withLock { $0["Hi"] ?? 0 } <= 1)
    }

    @Test("The app opens what the extension was killed over, also after hours")
    func appOpensWhatTheExtensionWasKilledOver() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1", kill: .afterOpening)
        #expect(body("1") == "(Encrypted)")
        phone.clock.advance(by: 20_000)
        try phone.reopen()
        #expect(body("1") == "Hi")
        #expect(try phone.read("1").state == .asSealed)
        // A replay by an attacker isn't opened that way.
        try phone.displayUnchanged(payload, "2", as: NotificationContent(body: "(Encrypted)"))
        try phone.reopen()
        #expect(body("2") == "(Encrypted)")
    }

    @Test("Two copies at once sound once, and one stays") func twoCopiesAtOnce() throws {
        for round in 0..<LongRun.count(10, full: 200) {
            let payload = try phone.sealed(phone.message("\(round)"))
            onThreads(2) { thread in _ = try? phone.deliver(payload, "\(round).\(thread)") }
            #expect(phone.sounds.withLock { $0["\(round)"] } == 1)
            #expect(phone.appRuns.withLock { $0["\(round)"] } == 1)
            try phone.reopen()
            #expect(phone.shown.count { $0.content.body == "\(round)" } == 1)
        }
    }

    @Test("Code of the app that opens pushes itself sees a double as replayed")
    func openerRejectsDoubles() throws {
        let opener = Opener(
            keys: InMemoryKeyStore([phone.device]), senderPolicy: .anyone,
            replayGuard: phone.store.backgroundGuard,
            time: phone.clock)
        let payload = try phone.sealed(phone.message("Hi"))
        _ = try opener.open(json: payload)
        #expect(throws: PushCryptError(.replayed, "")) { try opener.open(json: payload) }
    }
}
