internal import PushCryptCore

/// Judges the receipts of displayed notifications with the device's key.
struct ReceiptReader: Sendable {
    /// The result of a judgment.
    struct Judgment: Sendable, Hashable {
        let state: DisplayedState
        /// The proved receipt; `nil` in the states ``DisplayedState/notByUs`` and
        /// ``DisplayedState/unknown``.
        var receipt: Receipt?
        /// The account that the receipt names.
        var account: String?

        static let unknown = Judgment(state: .unknown)
        static let notByUs = Judgment(state: .notByUs)
    }

    /// The place of the key; `nil` if the app has none.
    let secrets: (any DeviceSecretsStore)?
    /// The names of the accounts.
    let accounts: [String]

    /// Judges a notification by its receipt and the text that it displays.
    func judgment(of notification: DeliveredNotification) -> Judgment {
        guard let key = receiptKey else { return .unknown }
        guard let text = notification.receipt, let receipt = Receipt(parsing: text) else {
            return .notByUs
        }
        guard receipt.state != .unknown else { return .unknown }
        guard let source = try? notification.source?.digest(),
            let digest = try? DisplayedText.digest(of: notification.content),
            digest == receipt.textDigest,
            let account = accounts.first(where: { account in
                let place = ReceiptPlace(
                    source: source, identifier: notification.identifier, account: account)
                return receipt.isProved(for: place, key)
            })
        else { return .notByUs }
        return Judgment(state: receipt.state, receipt: receipt, account: account)
    }

    private var receiptKey: SecretBytes? { try? secrets?.read()?.receiptKey }
}

extension DeliveredNotification {
    /// A Boolean value that indicates whether the notification has a receipt for the text that it
    /// displays, which isn't authenticated here.
    var hasReceiptOfItsText: Bool {
        guard let receipt = receipt.flatMap({ Receipt(parsing: $0) }) else { return false }
        return receipt.textDigest == (try? DisplayedText.digest(of: content))
    }
}
