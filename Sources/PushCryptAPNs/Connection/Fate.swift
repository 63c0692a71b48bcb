#if APNs
/// The end of a request on a connection.
enum Fate: Sendable {
    /// APNs has answered.
    case answered(APNsAnswer)
    /// APNs hasn't processed the request: it was above the last stream of GOAWAY, or reset with
    /// REFUSED_STREAM (RFC 9113, sections 6.8 and 8.7).
    case unprocessed(ConnectionProblem)
    /// APNs may have processed the request, and the answer is lost.
    case unknown(ConnectionProblem)
}
#endif
