import Clibsodium
import Foundation
import PushCryptReceiver

/// The format of a chat server: base64 of a type byte, a nonce (24 bytes) and a secretbox, in the
/// member `chat`.
///
/// Type 1 is a message, whose box has a payload in Apple's form. Type 2 takes a conversation back.
struct ChatOpener: ForeignOpener {
    let name = "chat"
    let secret: [UInt8]

    struct Wrong: Error {}

    func open(_ push: ForeignPush) async throws -> ForeignOriginal? {
        guard let text = push["chat"]?.stringValue, let bytes = Data(base64Encoded: text),
            let type = bytes.first
        else {
            return nil
        }
        guard bytes.count >= 1 + 24 + 16 else { throw Wrong() }
        let (nonce, box) = (Array(bytes[1..<25]), Array(bytes.dropFirst(25)))
        var opened = [UInt8](repeating: 0, count: box.count - 16)
        guard unsafe crypto_secretbox_open_easy(&opened, box, UInt64(box.count), nonce, secret) == 0
        else {
            throw Wrong()
        }
        switch type {
        case 1: return .message(Data(opened), isAuthenticated: true)
        case 2:
            return .withdrawal(
                Withdrawal(threadIDs: [String(decoding: opened, as: UTF8.self)]),
                isAuthenticated: true)
        default: throw Wrong()
        }
    }
}
