#if APNs
package import Foundation

/// A valid request.
package struct Request: Sendable {
    /// The value of `apns-id`, or a new one if the header is missing.
    package let id: UUID
    /// The device token of the path.
    package let deviceToken: String
    /// The value of `apns-topic`.
    package let topic: String
    /// All headers but the pseudo-headers.
    package let headers: [String: String]
    /// The bytes of the payload.
    package let payload: [UInt8]
    /// The number of the connection, from 1.
    package let connection: Int
    /// The number of requests on the connection so far, from 1.
    package let number: Int
    /// The number of requests with this `apns-id` so far, from 1.
    package let attempt: Int
    /// The time of arrival.
    package let date: Date
}

/// An answer of APNs that refuses a request.
struct Refusal: Error, Equatable {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
#endif
