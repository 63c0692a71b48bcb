import Clibsodium
import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A device whose app opens pushes of other formats, besides sealed ones.
final class ForeignPhone: Sendable {
    let phone: DisplayPhone
    let secret = [UInt8](repeating: 7, count: 32)
    let events = LockedValue<[PushEvent]>([])

    init() throws {
        phone = try DisplayPhone(hasFilteringEntitlement: true)
        _ = inbox().prepare()
    }

    func inbox(_ openers: [any ForeignOpener]? = nil) -> PushInbox {
        let own: [any ForeignOpener] = [HomeOpener(secret: secret), ChatOpener(secret: secret)]
        return phone.inbox { $0.foreignOpeners = openers ?? own }
    }

    /// Returns the base64 of bytes, a nonce and a secretbox.
    func box(_ text: String, after start: [UInt8] = [], nonce: UInt8 = 1) -> String {
        let message = Array(text.utf8)
        let nonce = [UInt8](repeating: nonce, count: 24)
        var box = [UInt8](repeating: 0, count: message.count + 16)
        _ = unsafe crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, secret)
        return Data(start + nonce + box).base64EncodedString()
    }

    func home(_ body: String, tag: String? = nil) -> [UInt8] {
        let tag = tag.map { #","tag":"\#($0)""# } ?? ""
        let box = box(#"{"title":"Door","message":"\#(body)"\#(tag)}"#)
        return Array(
            #"{"aps":{"alert":"A push","mutable-content":1},"encrypted_data":"\#(box)"}"#.utf8)
    }

    func chat(_ text: String, type: UInt8 = 1) -> [UInt8] {
        Array(
            #"{"aps":{"alert":"A push","mutable-content":1},"chat":"\#(box(text, after: [type]))"}"#
                .utf8)
    }

    func message(_ body: String, thread: String) -> String {
        #"{"aps":{"alert":{"title":"Bob","body":"\#(body)"},"thread-id":"\#(thread)"},"room":"\#(thread)"}"#
    }
}
