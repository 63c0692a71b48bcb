#if APNs
internal import NIOCore
internal import NIOHPACK
internal import PushCryptFoundation
internal import PushCryptSender

/// A push that the caller has submitted.
struct Submission: Sendable {
    /// The number of the submission, unique in its client.
    let number: UInt64
    let id: UUID
    let push: APNsPush
    let deviceToken: String
    /// The receiver of the result.
    let sink: any ResultSink
}

/// A submitted push with the history of its attempts.
///
/// It belongs to the event loop of its client.
final class PushRequest {
    let submission: Submission
    /// The number of attempts that APNs has processed, or may have processed.
    var attempts = 0
    /// The number of times that the push was handed over and surely not processed.
    var passes = 0
    /// The number of connections that failed while the push waited.
    var failedConnections = 0
    /// A Boolean value that indicates whether APNs may have accepted the push in an attempt without
    /// an answer.
    var mayBeAccepted = false
    /// A Boolean value that indicates whether the client has replaced a provider token that APNs
    /// rejected as expired.
    var hasRenewedToken = false
    /// The provider token of the last attempt.
    var token: String?
    /// The time of the last attempt.
    var start = Date.distantPast
    /// The connection on which the push waits for its answer, and its stream.
    weak var connection: Connection?
    var stream = 0
    /// The pause before the next attempt.
    var pause: Scheduled<Void>?

    init(_ submission: Submission) { self.submission = submission }

    var id: UUID { submission.id }
}

/// The header fields of a request to APNs.
struct RequestFields {
    private let base: HPACKHeaders

    init(_ environment: APNsEnvironment) {
        base = HPACKHeaders([
            (":method", "POST"), (":scheme", "https"),
            (":authority", "\(environment.host):\(environment.port)"),
        ])
    }

    /// Returns the fields of a push.
    ///
    /// Those that differ from push to push aren't indexed, because they would push the others out
    /// of the table of HPACK.
    func callAsFunction(_ submission: Submission, token: String?) -> HPACKHeaders {
        var fields = base
        fields.reserveCapacity(14)
        fields.add(
            name: ":path", value: "/3/device/\(submission.deviceToken)", indexing: .nonIndexable)
        fields.add(name: "content-type", value: "application/json")
        if let token { fields.add(name: "authorization", value: "bearer \(token)") }
        var headers = submission.push.headers
        headers.id = submission.id
        for (name, value) in headers.fields {
            fields.add(
                name: name, value: value,
                indexing: Self.isRepeated(name) ? .indexable : .nonIndexable)
        }
        return fields
    }

    private static func isRepeated(_ name: String) -> Bool {
        switch name {
        case "apns-id", "apns-expiration", "apns-collapse-id": false
        default: true
        }
    }
}
#endif
