import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite(.ownThread) struct WithdrawalTests {
    private let phone: WithdrawalPhone

    init() throws { phone = try WithdrawalPhone() }

    private func show(_ identifier: String, thread: String = "t", at time: TimeInterval = 0) throws
    {
        try phone.deliver(
            phone.sealed(phone.message(identifier, thread: thread), at: time), identifier)
        phone.clock.advance(by: 10)
    }

    @Test(
        "A withdrawal removes notifications by collapse ID and by thread, and isn't displayed itself"
    )
    func withdrawalRemovesNotifications() throws {
        for (identifier, thread) in [("a", "x"), ("b", "x"), ("c", "y"), ("d", "z")] {
            try show(identifier, thread: thread)
        }
        let result = try phone.deliver(
            phone.sealed(#"{"collapse-ids":["c"],"thread-ids":["x"]}"#, at: 40), "withdrawal")
        #expect(Set(phone.shown.keys) == ["d"])
        #expect(result.outcome.isDropped)
        #expect(result.withdrawal != nil)
        #expect(!result.content.hasText)
        #expect(phone.events.withLock { $0 }.isEmpty)
    }

    @Test("A withdrawal that comes first wins, but not over later notifications")
    func withdrawalThatComesFirstWins() throws {
        try phone.deliver(phone.sealed(#"{"collapse-ids":["a"],"thread-ids":["x"]}"#, at: 20), "w")
        try phone.deliver(phone.sealed(phone.message("late"), at: 20), "a")
        try phone.deliver(phone.sealed(phone.message("late", thread: "x"), at: 0), "b")
        #expect(phone.shown.isEmpty)
        try phone.deliver(phone.sealed(phone.message("later"), at: 20.001), "a")
        try phone.deliver(phone.sealed(phone.message("later", thread: "x"), at: 21), "b")
        #expect(Set(phone.shown.keys) == ["a", "b"])
        #expect(phone.shown["a"]?.body == "later")
    }

    @Test("A withdrawal outlives the longest message that it withdraws")
    func withdrawalOutlivesItsMessages() throws {
        let day: TimeInterval = 86_400
        try phone.deliver(phone.sealed(#"{"collapse-ids":["a"]}"#, at: 20, lifetime: 600), "w")
        // The last moment at which a message of 30 days opens, with its tolerance of 2 days.
        phone.clock.advance(by: 32 * day)
        let late = try phone.deliver(
            phone.sealed(phone.message("late"), at: 0, lifetime: 30 * day), "a")
        #expect(late.outcome.failure == nil && late.outcome.isDropped)
        #expect(phone.shown.isEmpty)
        phone.clock.advance(by: 20.001)
        let expired = try phone.deliver(
            phone.sealed(phone.message("next"), at: 20, lifetime: 30 * day), "a")
        #expect(phone.shown["a"]?.body == "(Encrypted)", "It's expired, and no longer withdrawn.")
        #expect(expired.outcome.failure?.code == .expired)
    }

    @Test("A withdrawal doesn't touch notifications of another account")
    func withdrawalDoesNotTouchAnotherAccount() throws {
        try show("a", thread: "x")
        let withdrawal = #"{"collapse-ids":["a","b"],"thread-ids":["x"]}"#
        try phone.deliver(phone.sealed(withdrawal, at: 40, for: "two"), "w")
        try phone.deliver(phone.sealed(phone.message("late", thread: "x")), "b")
        #expect(Set(phone.shown.keys) == ["a", "b"])
        // A server that signs for its own account can't reach another one's key.
        let forged = try phone.deliver(
            phone.sealed(withdrawal, at: 40, signer: phone.otherServer), "forged")
        #expect(forged.outcome.failure?.code == .wrongAccount)
        #expect(Set(phone.shown.keys) == ["a", "b", "forged"])
    }

    @Test("Without the filtering entitlement, a withdrawal displays the quietest text")
    func withoutTheEntitlementAWithdrawalDisplaysAQuietText() throws {
        let inbox = phone.inbox(
            hasFilteringEntitlement: false, fallback: FallbackText("f", dropped: "read"))
        try show("a")
        let plain = try phone.deliver(
            phone.sealed(#"{"collapse-ids":["a"]}"#, at: 40), "a", with: inbox)
        #expect(plain.content == phone.shown["a"])
        #expect(plain.content.body == "read")
        #expect(plain.content.interruptionLevel == .passive)
        #expect(plain.content.sound == nil)
        let own = try phone.deliver(
            phone.sealed(
                #"{"thread-ids":["t"],"aps":{"alert":"2 read","sound":"loud","badge":2,"interruption-level":"critical"}}"#,
                at: 41), "a", with: inbox)
        #expect(own.content.body == "2 read")
        #expect(own.content.badge == 2)
        try phone.store.setDisplay(.titleOnly)
        let hidden = try phone.deliver(
            phone.sealed(#"{"thread-ids":["t"],"aps":{"alert":"2 read","badge":2}}"#, at: 42), "a",
            with: inbox)
        #expect(hidden.content.body == "read" && hidden.content.badge == nil)
        #expect(own.content.sound == nil)
        #expect(own.content.interruptionLevel == .passive)
    }

    @Test("A withdrawal removes a notification that the system displays late")
    func withdrawalRemovesANotificationThatAppearsLate() throws {
        // Handed over, but not displayed yet.
        try phone.deliver(phone.sealed(phone.message("late")), "a")
        phone.remove(["a"])
        let phone = phone
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) {
            phone.display(NotificationContent(body: "late"), "a")
        }
        try phone.deliver(phone.sealed(#"{"collapse-ids":["a"]}"#, at: 1), "w")
        #expect(phone.shown.isEmpty)
    }

    @Test("The next withdrawal continues one that was interrupted") func nextWithdrawalContinues()
        throws
    {
        try show("a")
        // The process was killed after it had recorded the withdrawal.
        try phone.withdraw(Withdrawal(collapseIDs: ["a"]))
        #expect(Set(phone.shown.keys) == ["a"])
        try phone.deliver(phone.sealed(#"{"collapse-ids":["other"]}"#, at: 2), "w")
        #expect(phone.shown.isEmpty)
    }

    @Test(
        "A withdrawal of another form is the fallback and acts on nothing",
        arguments: [
            #"{"aps":{}}"#, #"{"collapse-ids":"a"}"#, #"{"collapse-ids":[]}"#,
            #"{"collapse-ids":["a",1]}"#,
            #"{"thread-ids":[""]}"#,
            "{\"thread-ids\":[\(Array(repeating: #""t""#, count: 101).joined(separator: ","))]}",
            #"{"thread-ids":null,"collapse-ids":["a"]}"#,
        ])
    func malformedWithdrawal(payload: String) throws {
        try show("a")
        let message = RawMessage(
            authentication: 1, kind: 8, issuedAt: Date.example.millisecondsSince1970 + 1000,
            payload: Array(payload.utf8), signer: .acme)
        let result = try phone.deliver(
            Array(#"{"ENCRYPTED_DATA":"\#(Base64URL.encode(message.envelope()))"}"#.utf8), "w")
        #expect(result.outcome.failure?.code == .typeMismatch)
        #expect(result.content.body == "(Encrypted)")
        #expect(Set(phone.shown.keys) == ["a", "w"])
    }

    @Test("A withdrawal without a signature doesn't act, even if anyone's messages open")
    func unsignedWithdrawalDoesNotAct() throws {
        let inbox = phone.inbox(phone.acceptAnyone)
        try phone.deliver(phone.sealed(phone.message("text")), "a", with: inbox)
        phone.clock.advance(by: 10)
        let push = try Sealer(.anonymous, time: phone.clock).seal(
            Withdrawal(collapseIDs: ["a", "b"]), for: phone.device.publicKey)
        try phone.deliver(push.payload, "w", with: inbox)
        try phone.deliver(phone.sealed(phone.message("late")), "b", with: inbox)
        #expect(Set(phone.shown.keys) == ["a", "b"])
        #expect(phone.events.withLock { $0 } == [.unsigned])
    }

    @Test("A clock that was set back doesn't delay a withdrawal")
    func clockThatWasSetBackDoesNotDelay() throws {
        phone.clock.advance(by: 3600)
        try phone.deliver(phone.sealed(phone.message("text")), "a")
        phone.clock.advance(by: -3000)
        let start = Date()
        try phone.deliver(phone.sealed(#"{"collapse-ids":["a"]}"#, at: 1), "w")
        #expect(phone.shown.isEmpty)
        #expect(try phone.inbox().count() == 0)
        #expect(Date() < start + 600)
    }

    @Test("Without shared files, a withdrawal is reported") func withdrawalWithoutFilesIsReported()
        throws
    {
        let inbox = phone.inbox { configuration in
            phone.acceptAnyone(&configuration)
            configuration.directory = nil
        }
        let result = try phone.deliver(phone.sealed(#"{"collapse-ids":["a"]}"#), "w", with: inbox)
        #expect(result.outcome.isDropped)
        #expect(phone.events.withLock { $0 } == [.invalidConfiguration])
    }

    @Test("A file that can't be used loses no text") func brokenFileLosesNoText() throws {
        try FileManager.default.createDirectory(
            atPath: phone.scratch.file("pushcrypt.ledger"), withIntermediateDirectories: false)
        let inbox = phone.inbox(phone.acceptAnyone)
        let result = try phone.deliver(phone.sealed(phone.message("text")), "a", with: inbox)
        #expect(result.content.body == "text")
        #expect(phone.events.withLock { $0 }.count == 1)
    }

    @Test("No forged or replayed withdrawal acts") func forgedWithdrawalsDoNotAct() throws {
        try show("a", thread: "x")
        let withdrawal = #"{"collapse-ids":["a"],"thread-ids":["x"]}"#
        let genuine = try phone.sealed(withdrawal, at: 5)
        let attacker = try SigningKey()
        var random = SeededRandom(seed: 13)
        let inbox = phone.inbox()
        var codes: [PushCryptError.Code: Int] = [:]
        let count = LongRun.count(50, full: 10_000)
        // Used once, and its record in the ledger is lost: after an hour it's replayed.
        let push = try phone.configuration.opener.open(json: genuine, as: [.withdrawal])
        try #require(
            phone.store.replayGuard.admit(
                GuardedMessage(push, of: [], deliveredAt: nil), now: phone.clock.now) == .new)
        phone.clock.advance(by: 3601)
        for number in 0..<count {
            let forged: [UInt8] =
                switch number % 5 {
                case 0: genuine
                case 1: try phone.sealed(withdrawal, at: 5, signer: attacker)
                case 2: try phone.sealed(withdrawal, at: 5, signer: phone.otherServer)
                case 3:
                    try Sealer(.anonymous, time: TestClock(.example + 5)).seal(
                        json: withdrawal.utf8, for: phone.device.publicKey
                    ).payload
                default:
                    Self.changed(genuine, &random)
                }
            let result = try phone.deliver(forged, "forged", with: inbox)
            let code = try #require(result.outcome.failure?.code, "\(number)")
            codes[code, default: 0] += 1
            #expect(phone.shown["a"] != nil)
        }
        #expect(codes[.replayed, default: 0] >= count / 5)
        #expect(codes[.unknownSigner] == count / 5)
        #expect(codes[.wrongAccount] == count / 5)
        #expect(codes[.unsigned] == count / 5)
        try phone.deliver(phone.sealed(phone.message("still displayed", thread: "x"), at: 0), "b")
        #expect(Set(phone.shown.keys) == ["a", "b", "forged"])
    }

    /// Changes one character of the sealed value.
    private static func changed(_ payload: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var payload = payload
        let start = (payload.firstIndex(of: UInt8(ascii: "D")) ?? 0) + 9
        let index = Int.random(in: start..<(payload.count - 3), using: &random)
        payload[index] = payload[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return payload
    }
}
