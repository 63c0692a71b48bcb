import Foundation
import TestSupport

@testable import PushCryptReceiver

/// An app with the default settings whose starts are regular.
struct OrdinaryApp: Hashable, Sendable {
    /// The mean time between two starts, in seconds.
    let gap: Double
    /// The largest deviation of a start from its regular time, in seconds.
    let deviation: Double

    static let daily = Self(gap: RotationSimulation.day, deviation: 0)
    static let dailyWithinHours = Self(
        gap: RotationSimulation.day, deviation: 4 * RotationSimulation.hour)
    static let weekly = Self(gap: 7 * RotationSimulation.day, deviation: 0)
    static let weeklyWithinDays = Self(
        gap: 7 * RotationSimulation.day, deviation: RotationSimulation.day)

    /// Returns one of the four for a third of the schedules, otherwise `nil`.
    static func random(_ random: inout SeededRandom) -> Self? {
        Int.random(in: 0..<3, using: &random) == 0
            ? [daily, dailyWithinHours, weekly, weeklyWithinDays].randomElement(using: &random)
            : nil
    }
}

// The attacker who copies the keyring.
extension RotationSimulation {
    /// Queues messages and copies for the whole schedule.
    mutating func addMessagesAndCopies() {
        for _ in 0..<16 {
            add(.send, after: Double.random(in: 0...Double(startsLeft) * meanGap, using: &random))
        }
        for _ in 0..<3 {
            add(.copy, after: Double.random(in: 0...Double(startsLeft) * meanGap, using: &random))
        }
    }

    /// Queues the next regular start, often with a copy and a message just before it.
    mutating func addOrdinaryStart() {
        guard let ordinary else { return }
        let number = ((now - Self.base) / meanGap).rounded() + 1
        let deviation =
            ordinary.deviation > 0
            ? Double.random(in: -1...1, using: &random) * ordinary.deviation : 0
        let delay = max(60, Self.base + number * meanGap + deviation - now)
        add(.start, after: delay)
        if chance(0.5) { add(.send, after: delay - 1) }
        if chance(0.5) { add(.copy, after: delay - 1) }
        if chance(0.2) { add(.send, after: 61) }
        if chance(0.2) { add(.copy, after: 61) }
    }

    /// Measures the messages that the copies open, in an ordinary schedule.
    mutating func measureCopies() {
        guard let ordinary else { return }
        for copy in copies {
            for message in sent where copy.keys.contains(message.key) {
                let period = copy.time - message.time
                summary.opensBack[ordinary] = max(summary.opensBack[ordinary] ?? 0, period)
                summary.opensForward[ordinary] = max(summary.opensForward[ordinary] ?? 0, -period)
            }
        }
    }
}
