import Foundation
import PushCryptCore
import Testing

@Suite struct TimeSourceTests {
    @Test(
        "A date is converted to whole milliseconds",
        arguments: [
            (0, 0), (1, 1_000), (1_767_225_600.5, 1_767_225_600_500), (0.0004, 0), (-1, 0),
            (-0.0001, 0), (1e30, .max),
            (.infinity, .max),
            (-.infinity, 0), (.nan, 0),
        ] as [(TimeInterval, UInt64)])
    func countsWholeMilliseconds(_ seconds: TimeInterval, _ milliseconds: UInt64) {
        #expect(Date(timeIntervalSince1970: seconds).millisecondsSince1970 == milliseconds)
    }

    @Test("Milliseconds are converted to a date") func comesBackFromMilliseconds() {
        let date = Date(millisecondsSince1970: 1_767_225_600_500)
        #expect(date == Date(timeIntervalSince1970: 1_767_225_600.5))
        #expect(Date(millisecondsSince1970: .max) > date)
    }

    @Test("Every millisecond is converted both ways") func everyMillisecondComesBack() {
        let start: UInt64 = 1_767_225_600_000
        let lost = (start..<(start + 1_000)).filter {
            Date(millisecondsSince1970: $0).millisecondsSince1970 != $0
        }
        #expect(lost.isEmpty)
    }

    @Test("The time of the system is the current time") func theSystemsTimeIsNow() {
        #expect(abs(SystemTime().now.timeIntervalSinceNow) < 60)
    }
}
