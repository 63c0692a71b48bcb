internal import Foundation
internal import PushCryptSender

/// A line whose push has no answer yet.
struct OpenPush: Sendable {
    let line: LineMembers
    let push: LinePush
    /// The number that answers to this line have as "line": the number of the line, or the one in
    /// an earlier output.
    let reference: Int
    /// A Boolean value that indicates whether the journal has the push already.
    var isRecorded: Bool
    /// A Boolean value that indicates whether APNs may have accepted the push in an earlier
    /// attempt.
    var mayBeAccepted: Bool
    /// An option for which the line has another value in its headers, which counts.
    var ignoredOption: String?
    /// The number of times for which the push got no answer although the server could be reached.
    var silences = 0
    /// The reason why the last attempt failed.
    var failure: PushFailure?

    /// The number of the line.
    var number: Int { line.number }
    /// The `apns-id` of all attempts.
    var id: UUID { push.headers.id ?? UUID() }
}
