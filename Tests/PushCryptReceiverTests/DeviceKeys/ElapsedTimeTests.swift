import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct ElapsedTimeTests {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let day: TimeInterval = 86_400

    @Test("The first estimate is the time of the clock") func beginsWithWhatTheClockSays() {
        let elapsed = ElapsedTime(startingAt: start)
        #expect(elapsed.clock == start && elapsed.estimate == start)
        #expect(ElapsedTime.maximumStep == 24 * 3600)
    }

    @Test(
        "An observation adds at most a day and never subtracts time",
        arguments: [
            // The step of the clock, and the step of the estimate.
            (0.0, 0.0), (1, 1), (3600, 3600), (86_399, 86_399), (86_400, 86_400), (86_401, 86_400),
            (60 * 86_400, 86_400),
            (5e9, 86_400), (-1, 0), (-86_400, 0), (-1_700_000_000, 0), (-1e12, 0),
        ] as [(Double, Double)])
    func aLookBelievesNoMoreThanADayAndNoLessThanNothing(moved: Double, counted: Double) {
        var elapsed = ElapsedTime(startingAt: start)
        #expect(elapsed.observe(start + moved) == 0, "No time is known to be missed.")
        #expect(elapsed.clock == start + moved)
        #expect(elapsed.estimate == start + counted)
    }

    @Test("Daily observations count every day") func dailyLooksCountEveryDay() {
        var elapsed = ElapsedTime(startingAt: start)
        for number in 1...365 { elapsed.observe(start + Double(number) * day) }
        #expect(elapsed.estimate == start + 365 * day)
    }

    @Test("A clock that jumps ahead and back costs one day") func aJumpAheadAndBackCostsADayOnce() {
        var elapsed = ElapsedTime(startingAt: start)
        elapsed.observe(start + 5000 * day)
        elapsed.observe(start + 3600)
        elapsed.observe(start + 7200)
        #expect(elapsed.estimate == start + day + 3600)
    }

    @Test("A clock that jumps back and is corrected costs one day")
    func aJumpBackAndComingRightCostsADayOnce() {
        var elapsed = ElapsedTime(startingAt: start)
        elapsed.observe(Date(timeIntervalSince1970: 0))
        elapsed.observe(start + 7200)
        elapsed.observe(start + 10_800)
        #expect(elapsed.estimate == start + day + 3600)
    }

    @Test("An answer of the server replaces the estimate") func anAnswerReplacesTheEstimate() {
        var elapsed = ElapsedTime(startingAt: start)
        for week in 1...3 {
            #expect(
                elapsed.observe(
                    start + Double(week) * 7 * day, answer: start + Double(week) * 7 * day) == 6
                    * day)
            #expect(elapsed.estimate == start + Double(week) * 7 * day)
        }
        elapsed.observe(start + 5000 * day)
        #expect(
            elapsed.observe(start + 5001 * day, answer: start + 22 * day) == -day,
            "The jump is corrected.")
        #expect(elapsed.estimate == start + 22 * day)
    }

    @Test("Extreme clocks are accepted") func clocksAtTheEndsOfTimeAreBorne() {
        var elapsed = ElapsedTime(startingAt: .distantFuture)
        elapsed.observe(.distantPast)
        elapsed.observe(.distantFuture)
        #expect(elapsed.estimate == Date.distantFuture + day)
    }
}
