#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Integers that every JSON reader keeps exactly (RFC 8259 §6).
package enum ExactInteger {
    /// The largest of them, 2^53 − 1.
    package static let maximum: UInt64 = (1 << 53) - 1

    /// Returns a time as whole seconds since 1970, clamped so that it can be read back.
    ///
    /// A clock can be before 1970, far in the future, or not a number.
    package static func seconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return min(max(Int64(exactly: seconds) ?? (seconds > 0 ? .max : 0), 0), Int64(maximum))
    }
}
