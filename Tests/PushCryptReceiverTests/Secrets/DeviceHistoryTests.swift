import Foundation
import TestSupport
import Testing

/// All orders of what happens to a device, up to a number of steps after its first launch.
@Suite(.ownThread, .thorough) struct DeviceHistoryTests {
    /// Returns the number of histories, or throws the first fault with its steps.
    private func explore(_ history: DeviceHistory, steps: Int) throws -> Int {
        guard steps > 0 else { return 1 }
        var count = 1
        for step in history.steps {
            var next = history
            do {
                try next.take(step)
            } catch let wrong as DeviceHistory.Wrong {
                let path = next.path.map(\.rawValue).joined(separator: ", ")
                throw DeviceHistory.Wrong(what: "\(wrong.what): \(path)")
            }
            count += try explore(next, steps: steps - 1)
        }
        return count
    }

    /// The number of steps: six take hours, and are explored by `.ci/long`.
    private var steps: Int {
        ProcessInfo.processInfo.environment["PUSHCRYPT_HISTORY_STEPS"].flatMap(Int.init)
            ?? LongRun.count(2, full: 4)
    }

    @Test("No message opens twice, no push goes to a leaked key, and each new push opens")
    func eachHistoryIsRight() throws {
        let count = try explore(DeviceHistory(), steps: steps)
        print("\(count) histories of up to \(steps) steps")
        #expect(count > 50)
    }

    /// The shortest history that needs the rule.
    @Test(
        "The exploration finds each rule that is taken out",
        arguments: [
            (
                DeviceHistory.Rule.epoch, "a message opens twice",
                [DeviceHistory.Step.pushOne, .delete, .launch, .copyFirst]
            ),
            (.newerKeys, "a new push doesn't open", [.delete, .launch, .pushOne]),
            (.eachAccount, "a new push doesn't open", [.pushTwo]),
            (
                .newKeyAfterStaleAnswer, "the device can't register",
                [.backup, .renew, .restore, .launch]
            ),
            (
                .formerKeys, "a push is sealed to a key from before renew",
                [.renew, .thief, .pushOne]
            ),
        ])
    func eachRuleIsNeeded(rule: DeviceHistory.Rule, fault: String, steps: [DeviceHistory.Step])
        throws
    {
        let wrong = #expect(throws: DeviceHistory.Wrong.self) {
            var history = try DeviceHistory(without: rule)
            for step in steps { try history.take(step) }
        }
        #expect(wrong?.what == fault)
        // With the rule, nothing is wrong.
        var complete = try DeviceHistory()
        for step in steps { try complete.take(step) }
        #expect(throws: DeviceHistory.Wrong.self) {
            _ = try explore(DeviceHistory(without: rule), steps: steps.count)
        }
    }
}
