import Foundation

/// The state of the sender: its free slots, and the readiness that a probe reads.
actor SendingState {
    private(set) var isRunning = false
    private var occupied = 0
    private var held = Date.distantPast

    func setRunning(_ isRunning: Bool) {
        self.isRunning = isRunning
    }

    /// Returns the number of pushes that may be taken now.
    func free(at now: Date) -> Int { now < held ? 0 : Limits.sending - occupied }

    func occupy(_ count: Int) {
        occupied += count
    }

    func release() {
        occupied -= 1
    }

    /// Takes nothing until a time, because APNs rejects every push.
    func hold(until date: Date) {
        held = date
    }
}
