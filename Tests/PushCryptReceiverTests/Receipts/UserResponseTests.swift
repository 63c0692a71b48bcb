import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The user's responses, and the states in which the app may act on them.
@Suite(.ownThread) struct UserResponseTests {
    private let phone: DisplayPhone

    init() throws { phone = try DisplayPhone() }

    private func response(_ identifier: String, _ text: String? = "See you") throws -> UserResponse
    {
        phone.inbox.response(
            "REPLY", text: text, to: try #require(phone.shown(identifier)).delivered)
    }

    @Test("A reply to the message's own text is accepted") func replyToTheOwnTextIsAccepted() throws
    {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        let response = try response("1")
        #expect(response.isAccepted() && response.state == .asSealed)
        #expect(response.reader != nil && response.failure == nil)
    }

    @Test("A reply to a reduced text is accepted") func replyToAReducedTextIsAccepted() throws {
        try phone.store.prepare(display: .titleOnly)
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        #expect(try response("1").isAccepted())
    }

    @Test("A reply to an attacker's text is refused, and not lost")
    func replyToAnAttackersTextIsRefused() throws {
        let payload = try phone.sealed(phone.message("Hi"))
        try phone.displayUnchanged(
            payload, "1", as: NotificationContent(title: "Anna", body: "The door code?"))
        let response = try response("1")
        #expect(!response.isAccepted() && !response.isAccepted(allowing: [.otherText, .decorated]))
        #expect(response.state == .notByUs && response.text == "See you")
        #expect(response.reader != nil, "The app opens the conversation of the message.")
    }

    @Test("A reply to a message that can't be read is refused, and not lost")
    func unreadableMessageIsRefused() throws {
        try phone.displayUnchanged(
            Array(#"{"aps":{"alert":"a"}}"#.utf8), "1", as: NotificationContent(body: "a"))
        let response = try response("1")
        #expect(!response.isAccepted(allowing: [.notByUs, .unknown]))
        #expect(
            response.text == "See you" && response.failure?.code == .notSealed
                && response.state == .notByUs)
    }

    @Test("The app may accept another text, but not a decoration with it")
    func appMayAcceptAnotherText() throws {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1") { content, _ in
            var content = content
            content.title = "Robert"
            return content
        }
        #expect(try !response("1").isAccepted())
        #expect(try response("1").isAccepted(allowing: [.otherText]))
        try phone.deliver(phone.sealed(phone.message("Hi")), "2") { content, _ in
            var content = content
            (content.title, content.categoryIdentifier) = ("Robert", "PAY")
            return content
        }
        #expect(try !response("2").isAccepted(allowing: [.otherText]))
    }

    @Test("A description has no text") func descriptionHasNoText() throws {
        try phone.deliver(phone.sealed(phone.message("Hi")), "1")
        #expect(try "\(response("1", "quite secret"))" == "UserResponse REPLY, as-sealed")
    }
}
