#if APNs
/// The result of a submitted push.
package struct SendingResult: Sendable {
    /// The number that the submission has returned.
    package let submission: UInt64
    package let result: Result<APNsReceipt, APNsError>
}

/// A receiver of results.
package protocol ResultSink: AnyObject, Sendable {
    /// Takes the results of one turn of the client's event loop, or of a push that isn't valid.
    ///
    /// The function mustn't wait, because all connections wait for it.
    func take(_ results: [SendingResult])
}
#endif
