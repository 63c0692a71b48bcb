import Foundation
import PushCryptSystem

@testable import PushCryptReceiver

/// A clock in integral milliseconds, on which no deadline passes.
///
/// Sums of `Date` aren't exact.
final class ScenarioClock: TimeSource, DeadlineTimer {
    private let time: LockedValue<Int64>

    init(milliseconds: Int64) { time = LockedValue(milliseconds) }

    var milliseconds: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var now: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    { {} }
}
