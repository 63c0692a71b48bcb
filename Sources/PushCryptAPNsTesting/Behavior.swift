#if APNs
internal import Foundation

/// A reaction of the server to one valid request.
///
/// Accepted pushes are recorded, and only `accept` and `acceptThenGoAway` tell the client about
/// that.
package enum Behavior: Sendable {
    /// Accepts the push and answers 200.
    case accept(after: Double = 0, inPieces: Bool = false)
    /// Answers a status and a reason, without accepting the push.
    case answer(
        Int, String, headers: [String: String] = [:], timestamp: Int? = nil, after: Double = 0,
        inPieces: Bool = false)
    /// Accepts the push, answers 200, and lets the connection end with GOAWAY.
    case acceptThenGoAway
    /// Accepts the push, answers 200, sends GOAWAY when nothing is open, and never closes the
    /// connection.
    case acceptThenLinger
    /// Sends GOAWAY that names this stream as the last one, and closes the connection without an
    /// answer.
    case goAway(accepted: Bool)
    /// Sends GOAWAY that excludes this stream, so that the client may send the push again.
    case refuseWithGoAway
    /// Resets the stream with REFUSED_STREAM, so that the client may send the push again.
    case refuse
    /// Resets the stream with INTERNAL_ERROR.
    case reset(accepted: Bool)
    /// Never answers this request.
    case stall(accepted: Bool)
    /// Never reads nor writes on this connection again.
    case silence(accepted: Bool)
    /// Closes the connection without an answer.
    case close(accepted: Bool)
    /// Waits for `goAwayInTheMiddle` as the reaction to another request of the connection.
    case hold
    /// Sends GOAWAY in the middle of this request and those that are held, and accepts the first
    /// half of them.
    case goAwayInTheMiddle
    /// Accepts the push, answers 200, and sends GOAWAY twice: with the highest number, and with the
    /// last stream.
    case goAwayInTwoPhases
    /// Does any steps.
    case steps([Step])
}

/// A function from a valid request to the server's reaction.
package typealias Script = @Sendable (Request) -> Behavior

/// Scripts with faults, which depend on the device token and the attempt, and never on the order of
/// requests.
package enum Faults {
    /// Faults that concern one push.
    static let ofStreams: [Behavior] = [
        .accept(after: 0.3), .accept(inPieces: true), .refuse, .reset(accepted: false),
        .reset(accepted: true),
        .stall(accepted: false), .stall(accepted: true), .answer(500, "InternalServerError"),
        .answer(503, "ServiceUnavailable", headers: ["retry-after": "1"]),
        .answer(503, "Shutdown", inPieces: true),
        .answer(429, "TooManyRequests", headers: ["retry-after": "1"], after: 0.1),
    ]
    /// Faults that concern every push of a connection.
    static let ofConnections: [Behavior] = [
        .acceptThenGoAway, .goAway(accepted: false), .goAway(accepted: true), .refuseWithGoAway,
        .silence(accepted: false), .silence(accepted: true), .close(accepted: false),
        .close(accepted: true),
    ]

    /// Frames that NIO doesn't write, with and without an accepted push.
    static let ofFrames: [Scenario] =
        Scenario.oddAnswers + Scenario.cutAnswers + Scenario.brokenAfterAnswers
        + Scenario.brokenFrames
        + Scenario.brokenFrames.map { Scenario("\($0), and accepted", steps: [.accept] + $0.steps) }

    /// Returns a script with all kinds of faults in the first attempts, each with its own share of
    /// the requests.
    package static func script(
        seed: UInt64 = 1, streams: Double = 0.1, connections: Double = 0.002, frames: Double = 0,
        attempts: Int = 2
    ) -> Script {
        { request in
            guard request.attempt <= attempts else { return .accept() }
            var hash = seed &+ UInt64(request.attempt)
            for byte in request.deviceToken.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9
            hash ^= hash >> 32
            let chance = Double(hash % 1_000_000) / 1_000_000
            let choice = Int(hash >> 32 % 1_000)
            if chance < connections { return ofConnections[choice % ofConnections.count] }
            if chance < connections + streams { return ofStreams[choice % ofStreams.count] }
            guard chance < connections + streams + frames else { return .accept() }
            return .steps(ofFrames[choice % ofFrames.count].steps)
        }
    }
}
#endif
