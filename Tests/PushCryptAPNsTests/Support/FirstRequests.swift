#if APNs
import PushCryptSystem
import PushCryptAPNsTesting

extension Fixture {
    /// Returns a script with a behavior for the first requests to a device, and for all others to
    /// all.
    static func script(
        _ behavior: Behavior, for number: Int = 0, attempts: Int = 1, others: Behavior = .accept()
    ) -> Script {
        { $0.deviceToken == device(number: number) && $0.attempt <= attempts ? behavior : others }
    }

    /// Returns a script with a behavior for some valid requests, which are counted on all
    /// connections from 1.
    static func script(_ behavior: Behavior, forRequests numbers: ClosedRange<Int>) -> Script {
        let count = LockedValue(0)
        return { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return numbers.contains(number) ? behavior : .accept()
        }
    }
}
#endif
