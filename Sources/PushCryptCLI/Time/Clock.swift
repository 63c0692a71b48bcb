internal import Dispatch
internal import Foundation

/// The time since the start of the machine, which nobody sets.
enum Clock {
    /// The seconds.
    static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
