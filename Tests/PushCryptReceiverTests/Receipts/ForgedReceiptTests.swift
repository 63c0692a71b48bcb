import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Receipts that an attacker has altered, taken from another notification or device, or repeated.
@Suite(.ownThread, .thorough) struct ForgedReceiptTests {
    private let phone: DisplayPhone
    private let other: DisplayPhone
    private var random = SeededRandom(seed: 26)

    init() throws {
        phone = try DisplayPhone()
        other = try DisplayPhone()
    }

    /// A displayed notification that an attacker has put together.
    private struct Forgery {
        var identifier: String
        var content: NotificationContent
        var members: [String: JSONValue]

        func judged(by phone: DisplayPhone) throws -> DisplayedState {
            let notification = DeliveredNotification(
                content: content, userInfo: systemDictionary(members), identifier: identifier,
                date: phone.clock.now)
            return phone.inbox.receiptReader.judgment(of: notification).state
        }
    }

    private func genuine(_ phone: DisplayPhone, _ identifier: String, _ body: String) throws
        -> Forgery
    {
        try phone.deliver(phone.sealed(phone.message(body)), identifier)
        let shown = try #require(phone.shown(identifier))
        return Forgery(
            identifier: identifier, content: shown.content,
            members: try #require(try JSONValue(parsing: shown.userInfo).objectValue))
    }

    /// Changes one bit of a base64url value, or one character of its text.
    private mutating func altered(_ value: JSONValue?) throws -> JSONValue {
        var bytes = try Base64URL.decode(Array((value?.stringValue ?? "").utf8).span)
        let bit = Int.random(in: 0..<(bytes.count * 8), using: &random)
        bytes[bit / 8] ^= 1 << (bit % 8)
        return .string(Base64URL.encode(bytes))
    }

    @Test("No altered, foreign or repeated receipt is accepted")
    mutating func forgedReceiptsAreRefused() throws {
        let first = try genuine(phone, "1", "first")
        let second = try genuine(phone, "2", "second")
        let foreign = try genuine(other, "1", "first")
        #expect(try [first, second].map { try $0.judged(by: phone) } == [.asSealed, .asSealed])
        #expect(try foreign.judged(by: other) == .asSealed)
        for number in 0..<LongRun.count(200, full: 10_000) {
            var forgery = first
            switch number % 10 {
            case 0:
                forgery.members["pushcrypt.receipt"] = try altered(
                    first.members["pushcrypt.receipt"])
            case 1: forgery.members["ENCRYPTED_DATA"] = try altered(first.members["ENCRYPTED_DATA"])
            case 2: forgery.members["ENCRYPTED_DATA"] = second.members["ENCRYPTED_DATA"]
            case 3: forgery.members["pushcrypt.receipt"] = foreign.members["pushcrypt.receipt"]
            case 4: forgery.identifier = "\(number)"
            case 5: forgery.content.body = "\(number)"
            case 6:
                (forgery.content.title, forgery.content.body) = (
                    forgery.content.title + "f", "irst"
                )
            case 7: forgery.content.categoryIdentifier = "PAY"
            case 8:
                forgery = Forgery(identifier: "1", content: second.content, members: second.members)
            default: forgery.content.subtitle = "\(number)"
            }
            let state = try forgery.judged(by: phone)
            #expect(!DisplayedState.proved.contains(state), "\(number)")
        }
    }

    @Test("A receipt of another account's message isn't proved")
    func receiptOfAnotherAccountIsNotProved() throws {
        let first = try genuine(phone, "1", "first")
        let notification = DeliveredNotification(
            content: first.content, userInfo: systemDictionary(first.members), identifier: "1")
        let reader = ReceiptReader(secrets: phone.secrets, accounts: ["shop"])
        #expect(reader.judgment(of: notification).state == .notByUs)
    }

    @Test(
        "Text that isn't a receipt isn't by us",
        arguments: ["", "AQ", "!", String(repeating: "A", count: 111)])
    func textThatIsNotAReceipt(text: String) throws {
        var forgery = try genuine(phone, "1", "first")
        forgery.members["pushcrypt.receipt"] = .string(text)
        #expect(try forgery.judged(by: phone) == .notByUs)
        forgery.members["pushcrypt.receipt"] = 5
        #expect(try forgery.judged(by: phone) == .notByUs)
        forgery.members["pushcrypt.receipt"] = nil
        #expect(try forgery.judged(by: phone) == .notByUs)
    }
}
