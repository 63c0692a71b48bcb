import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The guarantee of rotation: no message loses its key within 30 days, and no key outlives its
/// time.
///
/// `PUSHCRYPT_SCHEDULES` is the number of schedules; `.ci/run` runs 200 and `.ci/long` 100,000. A
/// failure names its seed, and `PUSHCRYPT_SEED` runs that schedule only.
@Suite(.thorough) struct RotationSimulationTests {
    /// The seed of the first schedule; each later one has the next number.
    static let firstSeed: UInt64 = 20_260_101
    static let shards = 2

    private static let environment = ProcessInfo.processInfo.environment
    static let schedules = environment["PUSHCRYPT_SCHEDULES"].flatMap(Int.init) ?? 60
    static let onlySeed = environment["PUSHCRYPT_SEED"].flatMap(UInt64.init)

    @Test(
        "No message and no key is lost in any schedule", .enabled(if: onlySeed == nil),
        arguments: 0..<shards)
    func noMessageAndNoKeyIsLostInAnySchedule(shard: Int) throws {
        var total = RotationSimulation.Summary()
        var failed: [UInt64] = []
        for number in stride(from: shard, to: Self.schedules, by: Self.shards) {
            let seed = Self.firstSeed + UInt64(number)
            var simulation = try simulation(seed)
            do {
                try simulation.run()
            } catch {
                failed.append(seed)
            }
            total = total + simulation.summary
        }
        let traces = try failed.map { try trace($0) }
        if let shortest = traces.min(by: { $0.count < $1.count }) {
            Issue.record(
                "\(failed.count) schedules fail. The shortest of them:\n\(shortest.joined(separator: "\n"))"
            )
        }
        // The limits are far below the real numbers, so that a change of the model doesn't affect
        // them.
        let count = Self.schedules / Self.shards
        #expect(total.confirmations > count / 2 && total.deliveriesToRetired > count / 2)
        #expect(
            total.destroyed > count / 10 && total.jumps > count / 2 && total.stale > count / 100)
        #expect(total.opened > 0, "Real messages, too.")
        // The days of messages that a copied keyring opens, back and forward, as in
        // Docs/KeyManagement.md.
        for (app, back, forward) in [
            (OrdinaryApp.daily, 16.0, 7.0), (.dailyWithinHours, 18, 8), (.weekly, 21, 7),
            (.weeklyWithinDays, 29, 15),
        ] {
            let (opensBack, opensForward) = (
                total.opensBack[app] ?? 0, total.opensForward[app] ?? 0
            )
            #expect(
                opensBack > (back / 2) * RotationSimulation.day
                    && opensBack <= back * RotationSimulation.day, "\(app)")
            #expect(
                opensForward > 3 * RotationSimulation.day
                    && opensForward <= forward * RotationSimulation.day, "\(app)")
        }
    }

    @Test("The requested schedule passes", .enabled(if: onlySeed != nil))
    func requestedSchedulePasses() throws {
        let trace = try trace(try #require(Self.onlySeed))
        print(trace.joined(separator: "\n"))
        #expect(trace.last?.contains("PUSHCRYPT_SEED") == false)
    }

    /// Returns a schedule; only some seal and open their messages, because cryptography is slow.
    private func simulation(_ seed: UInt64, traces: Bool = false) throws -> RotationSimulation {
        RotationSimulation(
            seed: seed, traces: traces,
            server: seed.isMultiple(of: 31) ? try TestKeys.sender() : nil)
    }

    /// Returns the events of a schedule, and its failure.
    private func trace(_ seed: UInt64) throws -> [String] {
        var simulation = try simulation(seed, traces: true)
        do {
            try simulation.run()
            return simulation.trace
        } catch {
            return simulation.trace + ["\(error)"]
        }
    }
}
