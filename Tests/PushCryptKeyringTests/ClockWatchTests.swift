import Foundation
import PushCryptKeyring
import PushCryptTesting
import Testing

@Suite struct ClockWatchTests {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let day: TimeInterval = 86_400

    @Test func beginsWithWhatTheClockSays() {
        let watch = ElapsedTime(startingAt: start)
        #expect(watch.clock == start && watch.believed == start)
        #expect(ElapsedTime.maximumStep == 24 * 3600)
        #expect(ElapsedTime.tolerance == 96 * 3600)
    }

    @Test(
        arguments: [
            // What the clock moves by, and what is believed of it.
            (0.0, 0.0), (1, 1), (3600, 3600), (86_399, 86_399), (86_400, 86_400), (86_401, 86_400),
            (60 * 86_400, 86_400),
            (5e9, 86_400), (-1, 0), (-86_400, 0), (-1_700_000_000, 0), (-1e12, 0),
        ] as [(Double, Double)])
    func aLookBelievesNoMoreThanADayAndNoLessThanNothing(moved: Double, believed: Double) {
        var watch = ElapsedTime(startingAt: start)
        #expect(watch.look(at: start + moved) == 0, "Nothing was missed that anybody knows of.")
        #expect(watch.clock == start + moved)
        #expect(watch.believed == start + believed)
    }

    @Test func dailyLooksCountEveryDay() {
        var watch = ElapsedTime(startingAt: start)
        for number in 1...365 { watch.look(at: start + Double(number) * day) }
        #expect(watch.believed == start + 365 * day)
    }

    @Test func aJumpAheadAndBackCostsADayOnce() {
        var watch = ElapsedTime(startingAt: start)
        watch.look(at: start + 5000 * day)
        watch.look(at: start + 3600)
        watch.look(at: start + 7200)
        #expect(watch.believed == start + day + 3600)
    }

    @Test func aJumpBackAndComingRightCostsADayOnce() {
        var watch = ElapsedTime(startingAt: start)
        watch.look(at: Date(timeIntervalSince1970: 0))
        watch.look(at: start + 7200)
        watch.look(at: start + 10_800)
        #expect(watch.believed == start + day + 3600)
    }

    @Test func aKnownTimeBringsItForwardLessTheTolerance() {
        var watch = ElapsedTime(startingAt: start)
        #expect(watch.look(at: start + 60 * day, known: start + 60 * day) == 55 * day)
        #expect(watch.believed == start + 56 * day)
    }

    @Test func aKnownTimeNeverSetsItBack() {
        var watch = ElapsedTime(startingAt: start)
        #expect(watch.look(at: start + 10, known: start - 1000 * day) == 0)
        #expect(watch.look(at: start + 20, known: start + 4 * day) == 0, "Within the tolerance.")
        #expect(watch.believed == start + 20)
    }

    @Test func clocksAtTheEndsOfTimeAreBorne() {
        var watch = ElapsedTime(startingAt: .distantFuture)
        watch.look(at: .distantPast)
        watch.look(at: .distantFuture)
        #expect(watch.believed == Date.distantFuture + day)
    }
}
