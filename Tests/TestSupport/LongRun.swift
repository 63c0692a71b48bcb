internal import Foundation
package import Testing

/// The size of tests that repeat their work.
package enum LongRun {
    /// A Boolean value that indicates whether `PUSHCRYPT_LONG_RUNS=1` asks for the full size, as
    /// `.ci/long` does.
    package static let isRequested =
        ProcessInfo.processInfo.environment["PUSHCRYPT_LONG_RUNS"] == "1"

    /// A Boolean value that indicates whether to run the tests that `swift test` leaves out.
    ///
    /// `PUSHCRYPT_THOROUGH=1`, a long run, or the size of a simulation asks for them.
    package static let isThorough: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isRequested || environment["PUSHCRYPT_THOROUGH"] == "1"
            || sizes.contains { environment[$0] != nil }
    }()

    /// The variables that set the size of one simulation, or its only seed.
    private static let sizes = [
        "PUSHCRYPT_SCHEDULES", "PUSHCRYPT_SEED", "PUSHCRYPT_REGISTRAR_SCHEDULES",
        "PUSHCRYPT_PROOF_SCHEDULES",
        "PUSHCRYPT_FORGERIES", "PUSHCRYPT_HISTORY_STEPS", "PUSHCRYPT_PLACES",
    ]

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
    package static var longRun: Self {
        .enabled(if: LongRun.isRequested, "Set PUSHCRYPT_LONG_RUNS=1.")
    }

    /// Runs a test in `.ci/run` and in a long run, so that `swift test` stays quick.
    ///
    /// These tests are simulations, or run the tool dozens of times to reach what other tests
    /// don't.
    package static var thorough: Self {
        .enabled(if: LongRun.isThorough, "Set PUSHCRYPT_THOROUGH=1.")
    }
}
