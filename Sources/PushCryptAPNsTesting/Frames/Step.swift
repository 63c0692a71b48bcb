#if APNs
/// A part of what the server does on a connection, at its start or as the reaction to a request.
package enum Step: Sendable {
    /// Records the push of the request as accepted.
    case accept
    /// Records that the request has a complete answer.
    case answered
    /// Writes frames in one piece.
    case write([RawFrame])
    /// Writes a frame many times, in one piece.
    case flood(RawFrame, count: Int)
    /// Writes any bytes.
    case bytes([UInt8])
    /// Waits for seconds.
    case pause(Double)
    /// Waits until the client has read everything before, which its answer to PING proves.
    case roundTrip
    /// Never writes a frame again, and goes on to read.
    case mute
    /// Ends the connection.
    case end(Ending)

    /// Writes one frame.
    package static func write(_ frame: RawFrame) -> Self { .write([frame]) }
}

/// The end of a connection.
package enum Ending: String, Sendable, CaseIterable {
    /// The end of TLS, and of the connection below.
    case farewell
    /// The end of the connection without that of TLS.
    case cut
    /// TCP's reset.
    case reset
    /// No end: nothing is read or written any more, as if the network were gone.
    case silence
}
#endif
