internal import PushCryptCore

/// Writes the receipts of the notifications that are about to be displayed.
struct ReceiptWriter: Sendable {
    /// The place of the key; `nil` writes no receipts.
    let secrets: (any DeviceSecretsStore)?

    /// Returns the receipt for an opened message.
    ///
    /// - Parameters:
    ///   - push: The message.
    ///   - state: The displayed state.
    ///   - content: The content as it was read back from the object that the system gets.
    ///   - source: The sealed text or the opened payload in that object.
    ///   - identifier: The identifier of the request.
    /// - Returns: The receipt; `nil` if the app has no secrets. If their key is missing or can't be
    ///   read, the receipt says that the state is unknown.
    func receipt(
        for push: OpenedPush, _ state: DisplayedState, displaying content: NotificationContent,
        source: ReceiptSource?, identifier: String
    ) -> String? {
        guard let secrets, let digest = try? DisplayedText.digest(of: content) else { return nil }
        let receipt = Receipt(
            state: state, isGuarded: push.isGuarded, messageID: push.messageID, textDigest: digest)
        guard let key = try? secrets.read()?.receiptKey else { return receipt.encodedWithoutKey() }
        guard let source = try? source?.digest() else { return nil }
        return try? receipt.encoded(
            for: ReceiptPlace(source: source, identifier: identifier, account: push.account), key)
    }
}
