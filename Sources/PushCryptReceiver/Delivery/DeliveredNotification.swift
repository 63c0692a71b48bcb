public import PushCryptCore
internal import PushCryptPayload

/// A notification as the system delivered it: what it would show by itself, and what is sealed in it.
public struct DeliveredNotification: Sendable {
    /// What the system would show.
    public let content: NotificationContent

    /// The sealed value, or why there is none.
    let sealedValue: Result<SealedValue, PushCryptError>

    /// Takes what a notification service extension is handed.
    ///
    /// - Parameters:
    ///   - content: the content of the request.
    ///   - userInfo: the `userInfo` of the request's content.
    public init(content: NotificationContent, userInfo: [AnyHashable: Any]) {
        self.content = content
        do throws(PushCryptError) {
            sealedValue = .success(try SealedValue(userInfo: userInfo))
        } catch {
            sealedValue = .failure(error)
        }
    }

    /// Takes a payload as it travels, and reads of it what the system would show.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Throws: ``PushCryptError`` with `malformedJSON`: such a payload never gets as far as a device.
    public init(json: [UInt8]) throws(PushCryptError) {
        content = NotificationContent(delivered: try JSONValue(forDisplay: json).objectValue ?? [:])
        do throws(PushCryptError) {
            sealedValue = .success(try SealedValue(json: json))
        } catch {
            sealedValue = .failure(error)
        }
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameter json: the payload in UTF-8.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(json: some Collection<UInt8>) throws(PushCryptError) {
        try self.init(json: Array(json))
    }
}
