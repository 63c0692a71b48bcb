public import Foundation
public import PushCryptCore
internal import PushCryptPayload

/// A notification as the system delivered it.
public struct DeliveredNotification: Sendable {
    /// The content that the system would display.
    package let content: NotificationContent

    /// The sealed value, or the reason why it can't be read.
    let sealedValue: Result<SealedValue, PushCryptError>

    /// The receipt in `userInfo`, which nothing proves yet.
    let receipt: String?

    /// The sealed text or the opened payload, for a receipt; `nil` if `userInfo` can't be the payload of a push.
    let source: ReceiptSource?

    /// The date of delivery; `nil` if the notification arrives now.
    package var date: Date?

    /// The identifier of the request, which is the push's collapse ID if it has one.
    package let identifier: String

    /// Creates a notification from a request's content, its `userInfo` and its identifier.
    ///
    /// For a displayed notification, `date` is the date of its delivery.
    public init(
        content: NotificationContent, userInfo: [AnyHashable: Any], identifier: String = "", date: Date? = nil
    ) {
        self.content = content
        self.identifier = identifier
        self.date = date
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(userInfo: userInfo) }
        receipt = userInfo[Envelope.receiptKey] as? String
        source = try? ReceiptSource(userInfo: userInfo)
    }

    /// Creates a notification from a payload as APNs gets it, in UTF-8.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    public init(json: some UTF8Text) throws(PushCryptError) {
        let json = json.utf8Bytes
        let payload = try JSONValue(forDisplay: json)
        identifier = ""
        receipt = nil
        content = NotificationContent(delivered: payload.objectValue ?? [:])
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(json: json) }
        source = try? .sealed(sealedValue.get().text)
    }
}
