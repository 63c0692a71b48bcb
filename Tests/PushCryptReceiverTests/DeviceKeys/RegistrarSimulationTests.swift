import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// Random schedules of losses, kills and restorations, after which the device opens the server's
/// messages.
@Suite(.thorough) struct RegistrarSimulationTests {
    static let firstSeed: UInt64 = 20_261_121
    static let shards = 2
    /// The number of schedules of 16 steps each; `PUSHCRYPT_REGISTRAR_SCHEDULES` sets another one.
    static let schedules =
        ProcessInfo.processInfo.environment["PUSHCRYPT_REGISTRAR_SCHEDULES"].flatMap(Int.init)
        ?? 100

    @Test("Device and server agree in each schedule", arguments: 0..<shards)
    func deviceAndServerAgreeInEachSchedule(
        shard: Int
    ) async throws {
        var total = RegistrarSimulation.Summary()
        var failures: [String] = []
        for number in stride(from: shard, to: Self.schedules, by: Self.shards) {
            // Only some schedules seal and open messages, because cryptography is slow.
            var simulation = try RegistrarSimulation(
                seed: Self.firstSeed + UInt64(number),
                sender: number % 50 < 2 ? try TestKeys.sender() : nil)
            do {
                try await simulation.run(steps: 16)
            } catch {
                failures.append("\(error)")
            }
            total = total + simulation.summary
        }
        if let shortest = failures.min(by: { $0.count < $1.count }) {
            Issue.record("\(failures.count) schedules fail. The shortest of them:\n\(shortest)")
        }
        // Each kind of event has happened.
        let count = Self.schedules / Self.shards
        #expect(total.starts > 5 * count && total.failures > count && total.deliveries > 10 * count)
        #expect(
            total.rotations > count / 10 && total.stale > count / 50 && total.opened > count / 50)
        #expect(total.restorations > count / 5 && total.backups >= count / 100)
    }
}
