internal import Foundation
package import Testing

/// The size of tests that repeat their work.
package enum LongRun {
    /// A Boolean value that indicates whether `PUSHCRYPT_LONG_RUNS=1` asks for the full size, as a step of `.ci/run` does.
    package static let isRequested = ProcessInfo.processInfo.environment["PUSHCRYPT_LONG_RUNS"] == "1"

    /// Returns the number of repetitions.
    package static func count(_ usual: Int, full: Int) -> Int { isRequested ? full : usual }

    /// Returns the cases of a table: all in a long run, otherwise some of them at equal distances.
    package static func cases<Case>(_ all: [Case], usually count: Int) -> [Case] {
        guard !isRequested, count < all.count else { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test in a long run only, because it takes seconds.
    package static var longRun: Self { .enabled(if: LongRun.isRequested, "Set PUSHCRYPT_LONG_RUNS=1.") }
}
