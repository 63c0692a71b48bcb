import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

/// The guarantee of proofs: no foreign pair is active, and no owner is dark.
///
/// `PUSHCRYPT_PROOF_SCHEDULES` is the number of schedules. A failure names its seed, and
/// `PUSHCRYPT_SEED` runs that schedule only.
@Suite(.thorough) struct ProofScheduleTests {
    private static let firstSeed: UInt64 = 20_260_501
    private static let shards = 2
    private static let environment = ProcessInfo.processInfo.environment
    private static let schedules = environment["PUSHCRYPT_PROOF_SCHEDULES"].flatMap(Int.init) ?? 10
    private static let onlySeed = environment["PUSHCRYPT_SEED"].flatMap(UInt64.init)

    @Test(
        "No foreign pair is active, and no owner is dark", .enabled(if: onlySeed == nil),
        arguments: 0..<shards)
    func guarantee(shard: Int) async throws {
        let signer = try TestKeys.sender()
        var total = ProofSummary()
        var failures: [(seed: UInt64, error: any Error)] = []
        for number in stride(from: shard, to: Self.schedules, by: Self.shards) {
            let seed = Self.firstSeed + UInt64(number)
            var schedule = try ProofSchedule(seed: seed, signer: signer)
            do {
                try await schedule.run()
            } catch {
                failures.append((seed, error))
            }
            total = total + schedule.summary
        }
        if let first = failures.first {
            Issue.record(
                "\(failures.count) schedules fail, the first with PUSHCRYPT_SEED=\(first.seed): \(first.error)"
            )
        }
        let count = Self.schedules / Self.shards
        #expect(total.proved == 2 * count || !failures.isEmpty)
        #expect(
            total.attacks > 4 * count && total.refused > count / 2 && total.challenges > count / 2)
        guard count >= 100 else { return }
        print("proofs:", total)
        #expect(total.visible > count / 4 && total.relays > count / 2 && total.acceptedAttacks > 0)
        #expect(total.openedByAttacker > count / 4)
    }

    @Test("The requested schedule passes", .enabled(if: onlySeed != nil)) func requested()
        async throws
    {
        var schedule = try ProofSchedule(
            seed: try #require(Self.onlySeed), signer: try TestKeys.sender())
        do {
            try await schedule.run()
        } catch {
            print(schedule.trace.joined(separator: "\n"))
            throw error
        }
    }
}

/// The counts of events, so that a test can check that they happened.
struct ProofSummary: Sendable {
    var proved = 0
    var answers = 0
    var challenges = 0
    var visible = 0
    var failures = 0
    var attacks = 0
    var acceptedAttacks = 0
    var refused = 0
    var relays = 0
    var openedByAttacker = 0

    static func + (one: Self, other: Self) -> Self {
        var sum = one
        for path in [
            \Self.proved, \.answers, \.challenges, \.visible, \.failures, \.attacks,
            \.acceptedAttacks, \.refused,
            \.relays, \.openedByAttacker,
        ] {
            sum[keyPath: path] += other[keyPath: path]
        }
        return sum
    }
}
