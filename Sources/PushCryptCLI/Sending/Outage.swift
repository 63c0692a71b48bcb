internal import Foundation

/// A time in which the server can't be reached, with one push at a time to find its end.
struct Outage {
    /// The pauses before pushes that probe the server, in seconds.
    struct Pauses {
        var first: TimeInterval = 1
        var longest: TimeInterval = 30
    }

    /// The reason why the server can't be reached.
    let failure: PushFailure
    private let start: TimeInterval
    private let longestPause: TimeInterval
    private var pause: TimeInterval
    private var nextProbe: TimeInterval
    /// The number of the line whose push probes the server.
    private(set) var probe: Int?

    init(_ failure: PushFailure, at now: TimeInterval, _ pauses: Pauses) {
        self.failure = failure
        start = now
        longestPause = pauses.longest
        pause = pauses.first
        nextProbe = now + pauses.first
    }

    /// The time of the next push; `nil` while one is being sent.
    var timeOfProbe: TimeInterval? { probe == nil ? nextProbe : nil }

    /// The seconds since the outage began.
    func duration(at now: TimeInterval) -> TimeInterval { now - start }

    func isOver(at now: TimeInterval, patience: TimeInterval) -> Bool { now >= start + patience }

    /// The time at which the patience ends.
    func end(patience: TimeInterval) -> TimeInterval { start + patience }

    mutating func send(_ number: Int) { probe = number }

    /// Begins the next pause if the push of a line was the one that probes the server.
    mutating func endProbe(_ number: Int, at now: TimeInterval) {
        guard probe == number else { return }
        probe = nil
        pause = min(2 * pause, longestPause)
        nextProbe = now + pause
    }
}
