import Foundation
import PushCryptCore
import TestSupport
import Testing

/// The guarantee of lists: no promotion darkens a device, and no revoked key is accepted after its
/// list was seen.
///
/// `PUSHCRYPT_SCHEDULES` is the number of schedules. A failure names its seed, and `PUSHCRYPT_SEED`
/// runs that schedule only.
@Suite(.thorough) struct SignerScheduleTests {
    private static let firstSeed: UInt64 = 20_260_101
    private static let shards = 2
    private static let environment = ProcessInfo.processInfo.environment
    private static let schedules = environment["PUSHCRYPT_SCHEDULES"].flatMap(Int.init) ?? 20
    private static let onlySeed = environment["PUSHCRYPT_SEED"].flatMap(UInt64.init)

    private let pool: SigningKeyPool

    init() throws {
        pool = try SigningKeyPool()
    }

    @Test(
        "No device is dark, and no revoked key returns", .enabled(if: onlySeed == nil),
        arguments: 0..<shards)
    func guarantee(shard: Int) throws {
        var failures: [(seed: UInt64, error: any Error)] = []
        var total = SignerSchedule.Summary()
        for number in stride(from: shard, to: Self.schedules, by: Self.shards) {
            let seed = Self.firstSeed + UInt64(number)
            var schedule = try SignerSchedule(seed: seed, pool: pool)
            do {
                try schedule.run()
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
        #expect(
            total.opened > 10 * count && total.openedWithRetired > count && total.promotions > count
        )
        // Rare events need many schedules.
        guard count >= 100 else { return }
        print("signing keys:", total)
        #expect(
            total.prunings > count / 40 && total.changedLists > count / 4
                && total.refusedRevoked > count / 20)
        #expect(total.restoredAndDark > 0 && total.rootRevocations > 0 && total.protected > 0)
    }

    @Test("The requested schedule passes", .enabled(if: onlySeed != nil)) func requested() throws {
        var schedule = try SignerSchedule(
            seed: try #require(Self.onlySeed), pool: pool, traces: true)
        defer { print(schedule.trace.joined(separator: "\n")) }
        try schedule.run()
    }
}
