#if APNs
package import Foundation

/// Counts of everything that reached the server.
package struct Record: Sendable {
    /// Counts of the valid requests that have the same `apns-id`.
    package struct Tally: Sendable, Equatable {
        /// The number of requests.
        package internal(set) var requests = 0
        /// The number of requests that were accepted.
        package internal(set) var accepted = 0
        /// The number of requests with a complete answer, written to the socket.
        package internal(set) var answered = 0
        /// The number of accepted requests with a complete answer, written to the socket.
        package internal(set) var confirmed = 0

        /// The number of requests without a complete answer.
        package var unanswered: Int { requests - answered }
        /// The number of accepted requests without a complete answer.
        package var lost: Int { accepted - confirmed }
    }

    /// The number of TCP connections.
    package internal(set) var sockets = 0
    /// The number of connections that were opened with HTTP/2.
    package internal(set) var connections = 0
    /// The number of connections that are open.
    package internal(set) var openConnections = 0
    /// The number of requests, valid or not.
    package internal(set) var requests = 0
    /// The number of requests by connection, the first connection at index 0.
    package internal(set) var requestsOfConnection: [Int] = []
    /// The number of accepted pushes, repetitions included.
    package internal(set) var accepted = 0
    /// The accepted pushes, unless the options say that they aren't kept.
    package internal(set) var pushes: [Request] = []
    /// Counts by `apns-id`.
    package internal(set) var tallies: [UUID: Tally] = [:]
    /// Counts of Apple's reasons for requests that break a rule; scripted answers aren't among
    /// them.
    package internal(set) var refusals: [String: Int] = [:]
    /// Counts of things that no client may do: `concurrent-stream`, `sent-after-200`,
    /// `stream-after-goaway`, `settings-ack`, and NIO's errors.
    package internal(set) var violations: [String: Int] = [:]
    /// Counts of the clients' frames by their types, such as `PING` and `PING ACK`.
    package internal(set) var frames: [String: Int] = [:]
    /// The valid provider tokens, the oldest first.
    package internal(set) var tokens: [String] = []

    /// The pushes that were accepted more than once.
    package var repeated: [UUID: Tally] { tallies.filter { $0.value.accepted > 1 } }
}
#endif
