internal import Foundation

/// The size of tests that repeat their work.
package enum LongRun {
    /// A Boolean value that indicates whether `PUSHCRYPT_LONG_RUNS=1` asks for the full size, as a step of `.ci/run` does.
    package static let isRequested = ProcessInfo.processInfo.environment["PUSHCRYPT_LONG_RUNS"] == "1"

    /// Returns the number of repetitions.
    package static func count(_ usual: Int, full: Int) -> Int { isRequested ? full : usual }
}
