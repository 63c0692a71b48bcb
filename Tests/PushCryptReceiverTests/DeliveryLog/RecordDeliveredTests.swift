import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

/// The app's records of notifications that the extension didn't see.
@Suite struct RecordDeliveredTests {
    let scratch: Scratch
    let time = TestClock()
    let log: DeliveryLog

    init() throws {
        scratch = try Scratch()
        log = DeliveryLog(path: scratch.file("log"), capacity: 4, time: time)
    }

    /// Records a handled notification, and advances the clock by a minute.
    private func handle(_ push: DeliveredNotification, _ code: PushCryptError.Code = .unknownKey)
        throws
    {
        try log.end(
            try log.begin(push), push,
            outcome: PushOutcome(.fallback, failure: PushCryptError(code, "")))
        time.advance(by: 60)
    }

    private var notRun: Int {
        get throws { try log.entries().filter { $0.outcome == .notRun }.count }
    }

    @Test("A notification that the extension didn't see is recorded once")
    func notificationThatTheExtensionDidntSeeIsRecordedOnce() throws {
        let push = try Pushes.delivered()
        for _ in 0..<3 {
            try log.recordDelivered(push, at: time.now - 5)
            time.advance(by: 60)
        }
        let entries = try log.entries()
        #expect(entries.map(\.outcome) == [.notRun])
        #expect(entries.first?.began == .example - 5)
        #expect(entries.first?.ended == .example)
        #expect(entries.first?.reason == nil)
    }

    @Test("A notification that the extension saw isn't recorded")
    func notificationThatTheExtensionSawIsntRecorded()
        throws
    {
        let (failed, killed) = (try Pushes.delivered("failed"), try Pushes.delivered("killed"))
        try handle(failed)
        _ = try log.begin(killed)
        for push in [failed, killed] { try log.recordDelivered(push, at: time.now) }
        #expect(try log.entries().map(\.outcome) == [.fallback, .unfinished])
    }

    @Test("The app recognizes a notification by its userInfo")
    func appRecognizesANotificationByItsUserInfo() throws {
        let json = try Pushes.sealed()
        try handle(try DeliveredNotification(json: json))
        let object = try JSONSerialization.jsonObject(with: Data(json)) as? [AnyHashable: Any]
        let again = DeliveredNotification(
            content: NotificationContent(body: "x"), userInfo: try #require(object))
        try log.recordDelivered(again, at: time.now)
        #expect(try notRun == 0)
    }

    @Test("An unsealed notification is ignored") func unsealedNotificationIsIgnored() throws {
        try log.recordDelivered(
            try DeliveredNotification(json: #"{"aps":{"alert":"opened"}}"#.utf8), at: time.now)
        #expect(try log.entries() == [])
    }

    @Test("A notification that may have left the log is ignored")
    func notificationThatMayHaveLeftTheLogIsIgnored()
        throws
    {
        let pushes = try (0..<6).map { try Pushes.delivered("\($0)") }
        for push in pushes { try handle(push) }
        // The first two entries have left. The system's date of delivery may be after the end of
        // the extension.
        for (number, push) in pushes.enumerated() {
            for after in [0.0, 5, 30] {
                try log.recordDelivered(push, at: .example + Double(60 * number) + after)
            }
        }
        #expect(try notRun == 0)
        // A later notification that isn't in the log never was.
        try log.recordDelivered(try Pushes.delivered("late"), at: .example + 60 * 2 + 31)
        #expect(try notRun == 1)
    }

    @Test("A delivery date after the end of the extension is possible")
    func deliveryDateAfterTheEndOfTheExtensionIsPossible() throws {
        // Several at once, so that the oldest remaining entry began before the first was displayed.
        let pushes = try (0..<6).map { try Pushes.delivered("\($0)") }
        for push in pushes {
            try handle(push)
            time.advance(by: -59)
        }
        for push in pushes { try log.recordDelivered(push, at: .example + 29) }
        #expect(try notRun == 0)
    }

    @Test("A recorded old notification doesn't extend the log's range")
    func recordedOldNotificationDoesntExtendTheLogsRange() throws {
        let pushes = try (0..<8).map { try Pushes.delivered("\($0)") }
        for push in pushes.prefix(3) { try handle(push) }
        // An old notification that the extension didn't see.
        try log.recordDelivered(try Pushes.delivered("old"), at: .example - 100_000)
        #expect(try notRun == 1)
        for push in pushes[3..<6] { try handle(push) }
        // The entries that have left were handled after that delivery.
        for (number, push) in pushes.prefix(3).enumerated() {
            try log.recordDelivered(push, at: .example + Double(60 * number))
        }
        #expect(try notRun == 1)
    }

    @Test(
        "Notifications before the log's beginning are ignored", arguments: ["cleared", "damaged"])
    func notificationsBeforeTheLogsBeginningAreIgnored(_ what: String) throws {
        let failed = try Pushes.delivered("failed")
        try handle(failed)
        if what == "cleared" {
            try log.clear()
        } else {
            scratch.write(Array("PCLOG\u{2}\r\r".utf8), to: "log")
        }
        for _ in 0..<2 { try log.recordDelivered(failed, at: .example) }
        #expect(try log.entries() == [])
        // The log goes on with later notifications.
        time.advance(by: 60)
        try handle(try Pushes.delivered("next"))
        try log.recordDelivered(failed, at: .example)
        #expect(try notRun == 0)
        try log.recordDelivered(try Pushes.delivered("unseen"), at: time.now)
        #expect(try notRun == 1)
        #expect(try log.entries().count == 2)
    }

    @Test("A damaged entry still counts as seen") func damagedEntryStillCountsAsSeen() throws {
        let pushes = try (0..<3).map { try Pushes.delivered("\($0)") }
        for push in pushes { try handle(push) }
        var bytes = scratch.contents(of: "log") ?? []
        // The time of the second entry.
        bytes[8 + 192 + 2] = UInt8(ascii: "x")
        scratch.write(bytes, to: "log")
        #expect(try log.entries().count == 2)
        for (number, push) in pushes.enumerated() {
            try log.recordDelivered(push, at: .example + Double(60 * number + 40))
        }
        #expect(try notRun == 0)
    }
}
