internal import Foundation
internal import PushCryptSender

extension APNsHeaders {
    /// Creates the headers of a request, with the push type alert by default.
    init(_ fields: HeaderFields) throws(PushCryptError) {
        let pushType = try fields.value(.pushType) { PushType(rawValue: $0) }
        let priority = try fields.value(.priority) { Int($0).flatMap { Priority(rawValue: $0) } }
        let expiration = try fields.value(.expiration) { UInt32($0).map(Expiration.init(seconds:)) }
        let id = try fields.value(.id) { UUID(uuidString: $0) }
        self.init(
            pushType ?? .alert, priority: priority, expiration: expiration,
            collapseID: fields[.collapseID],
            topic: fields[.topic], id: id)
    }
}

extension APNsHeaders.Expiration {
    /// Creates the expiration of a header in seconds since 1970, in which 0 means one attempt.
    init(seconds: UInt32) {
        self = seconds == 0 ? .once : .at(Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
