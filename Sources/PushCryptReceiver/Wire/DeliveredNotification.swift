public import Foundation
public import PushCryptCore
public import PushCryptKeyring
internal import PushCryptPayload

/// A notification as the system delivered it.
public struct DeliveredNotification: Sendable {
    /// The content that the system would display.
    package let content: NotificationContent

    /// The sealed value, or the reason why it can't be read.
    let sealedValue: Result<SealedValue, PushCryptError>

    /// The members that the carrier has added to `userInfo`.
    let addedMembers: [String: JSONValue]

    /// The receipt in `userInfo`, which nothing proves yet.
    let receipt: String?

    /// The sealed text or the opened payload, for a receipt; `nil` if `userInfo` can't be the
    /// payload of a push.
    let source: ReceiptSource?

    /// The date of delivery; `nil` if the notification arrives now.
    var date: Date?

    /// The identifier of the request, which is the push's collapse ID if it has one.
    let identifier: String

    /// Creates a notification from a request's content, its `userInfo` and its identifier.
    ///
    /// - Parameters:
    ///   - content: The content that the system would display.
    ///   - userInfo: The dictionary of the request.
    ///   - identifier: The identifier of the request.
    ///   - date: The date of delivery of a displayed notification; `nil` if the notification
    ///     arrives now.
    ///   - carrier: The carrier, as the ``Opener`` has it. An unknown one leaves the notification
    ///     unopened with `invalidConfiguration`.
    public init(
        content: NotificationContent, userInfo: [AnyHashable: Any], identifier: String = "",
        date: Date? = nil,
        carrier: Carrier = .apns
    ) {
        self.content = content
        self.identifier = identifier
        self.date = date
        sealedValue = Result { () throws(PushCryptError) in
            try SealedValue(userInfo: userInfo, from: carrier)
        }
        addedMembers = (try? SealedPlace(of: carrier))?.addedMembers(of: userInfo) ?? [:]
        receipt = userInfo[Envelope.receiptKey] as? String
        source = try? ReceiptSource(userInfo: userInfo, from: carrier)
    }

    /// Creates a notification from a payload in UTF-8, as APNs gets it.
    ///
    /// - Parameters:
    ///   - json: The payload.
    ///   - carrier: The carrier, as the ``Opener`` has it.
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    public init(json: some UTF8Text, carrier: Carrier = .apns) throws(PushCryptError) {
        let json = json.bytesForPushCrypt
        let payload = try JSONValue(forDisplay: json)
        identifier = ""
        receipt = nil
        addedMembers = [:]
        content = NotificationContent(delivered: payload.objectValue ?? [:])
        sealedValue = Result { () throws(PushCryptError) in
            try SealedValue(json: json, from: carrier)
        }
        source = (try? .sealed(sealedValue.get().text)) ?? .opened(payload)
    }
}
