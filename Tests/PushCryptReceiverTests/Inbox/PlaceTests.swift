import Dispatch
import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The text at a place on the screen, if two messages have the same identifier: an older one never
/// replaces a newer one.
@Suite(.ownThread) struct PlaceTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    private var body: String? { phone.shown("chat")?.content.body }

    @Test(
        "An older message that comes late keeps the newer text, silently",
        arguments: [0, 5, 600] as [TimeInterval])
    func olderMessageKeepsTheNewerText(later: TimeInterval) throws {
        let older = try phone.sealed(phone.message("Older"))
        try phone.deliver(phone.sealed(phone.message("Newer"), at: 10), "chat")
        phone.clock.advance(by: later)
        let outcome = try phone.deliver(older, "chat")
        #expect(outcome?.kind == .kept && outcome?.failure == nil)
        #expect(body == "Newer")
        #expect(phone.sounds.withLock { $0 } == ["Newer": 1])
        #expect(try phone.read("chat").state == .asSealed)
    }

    @Test("An older message is displayed if the user has removed the newer one")
    func removedNewerMessage() throws {
        try phone.deliver(phone.sealed(phone.message("Newer"), at: 10), "chat")
        phone.clock.advance(by: 5)
        phone.remove(["chat"])
        try phone.deliver(phone.sealed(phone.message("Older")), "chat")
        #expect(body == "Older")
    }

    @Test("An older message waits until the list has the newer one") func listThatIsLate() throws {
        let older = try phone.sealed(phone.message("Older"))
        try phone.deliver(phone.sealed(phone.message("Newer"), at: 10), "chat")
        let shown = phone.shown
        phone.remove(["chat"])
        let reads = LockedValue(0)
        let presented = try present(older) { [phone] in
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            return number < 3 ? [] : phone.displayed(shown)
        }
        #expect(presented.content.body == "Newer" && presented.outcome.kind == .kept)
        #expect(reads.withLock { $0 } == 3)
    }

    @Test("A copy doesn't hand over an older text than the one that comes while it reads the list")
    func newerMessageComesBetween() throws {
        let older = try phone.sealed(phone.message("Older"))
        let newer = try phone.sealed(phone.message("Newer"), at: 10)
        try phone.deliver(older, "chat")
        phone.clock.advance(by: 10)
        let isFirst = LockedValue(true)
        let presented = try present(older) { [phone] in
            let before = phone.displayed(phone.shown)
            let comesNow = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard comesNow else { return before }
            await withCheckedContinuation { done in
                DispatchQueue(label: "newer").async {
                    _ = try? phone.deliver(newer, "chat")
                    done.resume()
                }
            }
            return before
        }
        #expect(presented.content.body == "Newer" && presented.outcome.kind == .kept)
    }

    @Test(
        "At the deadline the quietest text is displayed instead of an older one",
        arguments: [true, false])
    func deadlineIsQuiet(isCopy: Bool) throws {
        let older = try phone.sealed(phone.message("Older"))
        if isCopy { try phone.deliver(older, "other") }
        try phone.deliver(phone.sealed(phone.message("Newer"), at: 10), "chat")
        let asked = DispatchSemaphore(value: 0)
        let presented = try present(older) { [phone] in
            DispatchQueue(label: "deadline").async {
                asked.wait()
                phone.clock.advance(by: 20)
            }
            asked.signal()
            try? await Task.sleep(nanoseconds: 600_000_000_000)
            return []
        }
        #expect(presented.content.body == "(Removed)")
        #expect(presented.content.sound == nil)
    }

    @Test("A message of another account takes the place") func otherAccountTakesThePlace() throws {
        let other = try TestKeys.device(.bob)
        let inbox = phone.inbox { [phone] in
            $0.accounts = [
                PushAccount("one", keys: InMemoryKeyStore([phone.device]), senderPolicy: .anyone),
                PushAccount("two", keys: InMemoryKeyStore([other]), senderPolicy: .anyone),
            ]
        }
        try phone.store.prepare(accounts: ["one", "two"], display: .full)
        try phone.deliver(phone.sealed(phone.message("Newer"), at: 10), "chat", with: inbox)
        let push = try Sealer(.anonymous, time: TestClock(.example + 5)).seal(
            json: phone.message("Of another account"), for: other.publicKey)
        try phone.deliver(push.payload, "chat", with: inbox)
        #expect(body == "Of another account")
    }

    /// Presents a push, with a list of displayed notifications.
    private func present(
        _ payload: [UInt8], displayed: @escaping @Sendable () async -> [DisplayedNotification]
    ) throws -> Presented {
        let notification = DeliveredNotification(
            content: NotificationContent(body: "(Encrypted)"),
            userInfo: try systemDictionary(payload),
            identifier: "chat")
        let result = LockedValue<Presented?>(nil)
        let done = DispatchSemaphore(value: 0)
        let inbox = phone.inbox
        inbox.begin(
            notification, with: NeutralHost(notification, list: phone, displayed: displayed)
        ) { presented in
            result.withLock { $0 = presented }
            done.signal()
        }
        done.wait()
        return try #require(result.withLock { $0 })
    }
}
