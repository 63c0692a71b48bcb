package import Foundation
public import PushCryptCore
internal import PushCryptPayload

/// A notification as the system delivered it.
public struct DeliveredNotification: Sendable {
    /// The content that the system would display.
    package let content: NotificationContent

    /// The sealed value, or the reason why it can't be read.
    let sealedValue: Result<SealedValue, PushCryptError>

    /// The date of delivery; `nil` if the notification arrives now.
    package var date: Date?

    /// The identifier of the request, which is the push's collapse ID if it has one.
    let identifier: String

    /// Creates a notification from a request's content, its `userInfo` and its identifier.
    public init(content: NotificationContent, userInfo: [AnyHashable: Any], identifier: String = "") {
        self.content = content
        self.identifier = identifier
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(userInfo: userInfo) }
    }

    /// Creates a notification from a payload as APNs gets it, in UTF-8.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    public init(json: some UTF8Text) throws(PushCryptError) {
        let json = json.utf8Bytes
        let payload = try JSONValue(forDisplay: json)
        identifier = ""
        content = NotificationContent(delivered: payload.objectValue ?? [:])
        sealedValue = Result { () throws(PushCryptError) in try SealedValue(json: json) }
    }
}
