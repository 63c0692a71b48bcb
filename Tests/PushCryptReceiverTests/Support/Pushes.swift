import Foundation
import PushCryptTesting

/// Sealed notifications for a device.
enum Pushes {
    static func sealed(_ text: String = "opened", at date: Date = .example) throws -> [UInt8] {
        try Sealer(.anonymous, time: TestClock(date))
            .seal(
                json: #"{"aps":{"alert":{"title":"secret title","body":"\#(text)"}}}"#.utf8,
                for: TestKeys.device().publicKey
            )
            .payload
    }

    static func delivered(_ text: String = "opened", at date: Date = .example) throws
        -> DeliveredNotification
    {
        try DeliveredNotification(json: sealed(text, at: date))
    }
}
