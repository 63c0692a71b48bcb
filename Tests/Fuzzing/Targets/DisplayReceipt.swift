@testable import PushCryptCore
@testable import PushCryptKeyring
@testable import PushCryptReceiver

/// Invariants of the receipt in `userInfo`.
///
/// An input is a text, or edits of an authentic receipt.
///
/// - An accepted receipt re-encodes to itself.
/// - Only the authentic receipt is proved, at its own place alone.
enum DisplayReceipt {
    private static let key = fixed { () throws(PushCryptError) in
        try SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
    }
    private static let place = ReceiptPlace(
        source: [UInt8](repeating: 1, count: 32), identifier: "request", account: "anna")
    private static let others = [
        ReceiptPlace(
            source: [UInt8](repeating: 2, count: 32), identifier: "request", account: "anna"),
        ReceiptPlace(source: place.source, identifier: "requesta", account: "nna"),
        ReceiptPlace(source: place.source, identifier: "request", account: "anna "),
    ]
    private static let authentic = fixed { () throws(PushCryptError) in
        let content = NotificationContent(title: "Anna", subtitle: "", body: "~secret~")
        let receipt = Receipt(
            state: .reduced, isGuarded: true, messageID: .zero,
            textDigest: try DisplayedText.digest(of: content))
        return try receipt.encoded(for: place, key)
    }

    static func check(_ input: [UInt8]) {
        var text = input
        if input.first == 0 {
            var reader = InputReader(Array(input.dropFirst()))
            let bytes = fixed { () throws(PushCryptError) in
                try Base64URL.decode(Array(authentic.utf8).span)
            }
            text = Array(Base64URL.encode(reader.edited(bytes)).utf8)
        }
        guard let string = String(validating: text, as: UTF8.self),
            let receipt = Receipt(parsing: string)
        else {
            return require(text != Array(authentic.utf8), "the authentic receipt is accepted")
        }
        check(receipt, string)
        require(
            receipt.isProved(for: place, key) == (string == authentic),
            "only the authentic receipt is proved")
        for other in others {
            require(!receipt.isProved(for: other, key), "a receipt is proved at its place alone")
        }
    }

    private static func check(_ receipt: Receipt, _ text: String) {
        guard let bytes = try? Base64URL.decode(Array(text.utf8).span),
            bytes.count == Receipt.length
        else {
            return require(false, "a receipt has 83 bytes")
        }
        let written =
            [1, receipt.state.code, receipt.isGuarded ? 1 : 0] + receipt.messageID.bytes
            + receipt.textDigest
        require(written == Array(bytes[..<written.count]), "a receipt re-encodes to itself")
        require(Base64URL.encode(bytes) == text, "the text of a receipt re-encodes to itself")
        require(written.count + 32 == Receipt.length, "a receipt ends with its MAC")
    }
}
