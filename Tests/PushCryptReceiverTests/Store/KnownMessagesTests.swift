import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The store knows messages, not places on the screen: a message stays known after its notification
/// is gone.
@Suite(.ownThread) struct KnownMessagesTests {
    /// The ways in which a notification loses its place.
    enum Loss: CaseIterable { case damagedPush, unsealedPush, edit, clear, removal, kill }

    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone(hasFilteringEntitlement: true) }

    private func lose(_ identifier: String, by loss: Loss) throws {
        switch loss {
        case .damagedPush:
            try phone.deliver(
                Array(#"{"aps":{"alert":"x"},"ENCRYPTED_DATA":"AQIDBA"}"#.utf8), identifier)
        case .unsealedPush: try phone.deliver(Array(#"{"aps":{"alert":"x"}}"#.utf8), identifier)
        case .edit: try phone.deliver(phone.sealed(phone.message("Edit"), at: 1), identifier)
        case .clear:
            try phone.inbox.clear()
            phone.remove([identifier])
        case .removal: phone.remove([identifier])
        case .kill:
            try phone.deliver(
                phone.sealed(phone.message("Edit"), at: 1), identifier, kill: .afterOpening)
        }
    }

    @Test(
        "A withdrawal reaches a message whose notification has lost its place",
        arguments: Loss.allCases)
    func withdrawalReachesALostNotification(loss: Loss) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1")
        try lose("1", by: loss)
        phone.clock.advance(by: 5)
        try phone.deliver(phone.sealed(#"{"collapse-ids":["1"]}"#, at: 2), "w")
        try phone.deliver(payload, "2")
        #expect(!phone.shown.contains { $0.content.body == "Hi" })
        try phone.reopen()
        #expect(!phone.shown.contains { $0.content.body == "Hi" })
    }

    @Test("A message that the extension was killed over is known, too", arguments: [true, false])
    func killedOverMessageIsKnown(isLate: Bool) throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "1", kill: isLate ? .beforeTheHandOver : .afterOpening)
        try phone.deliver(phone.sealed(#"{"collapse-ids":["1"]}"#, at: 2), "w")
        try phone.deliver(payload, "2")
        try phone.reopen()
        #expect(!phone.shown.contains { $0.content.body == "Hi" })
    }

    @Test("An original that comes after its withdrawal removes the copy that came before it")
    func lateOriginalRemovesItsCopy() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.deliver(payload, "other")
        phone.clock.advance(by: 5)
        try phone.deliver(phone.sealed(#"{"collapse-ids":["1"]}"#, at: 2), "w")
        #expect(phone.shown.map(\.content.body) == ["Hi"])
        try phone.deliver(payload, "1")
        #expect(phone.shown.isEmpty)
    }

    @Test("Cleared notifications don't count, and their messages stay known")
    func clearedNotificationsDoNotCount()
        throws
    {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        #expect(try phone.inbox.count() == 1)
        try phone.inbox.clear()
        #expect(try phone.inbox.count() == 0)
        let states = try phone.store.withLedger { ledger, _ in ledger.entries.map(\.state) }
        #expect(states == [.known])
    }
}
