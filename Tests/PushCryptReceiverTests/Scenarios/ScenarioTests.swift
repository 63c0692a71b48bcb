import Foundation
import TestSupport
import Testing

/// The settings of the file of scenarios.
private enum ScenarioFile {
    static let environment = ProcessInfo.processInfo.environment
    static let path = environment["PUSHCRYPT_SCENARIO_FILE"]
    static let count = environment["PUSHCRYPT_SCENARIO_COUNT"].flatMap(Int.init) ?? 1000
    static let seed = environment["PUSHCRYPT_SEED"].flatMap(UInt64.init) ?? 20_261_128
}

/// The file of random scenarios with the results of the Swift receiver, which
/// Tests/Receiver/compare replays in Java.
///
/// `PUSHCRYPT_SCENARIO_FILE` is the file, `PUSHCRYPT_SCENARIO_COUNT` the number, and
/// `PUSHCRYPT_SEED` the first seed.
@Suite(.ownThread, .enabled(if: ScenarioFile.path != nil, "Run Tests/Receiver/compare."))
struct ScenarioTests {
    /// The events that occur in each thousand of scenarios.
    private static let events: Set<String> = [
        "kept", "opened", "repeated", "replayed", "withdrawn", "withdrawal", "challenge", "stale",
        "challenged", "proved", "list accepted", "rotation", "resume", "lose-state",
        "lose-installation", "killed at-arrival", "killed before-open", "killed before-display",
        "killed after-display", "fallback unknown-key", "fallback unknown-signer",
        "fallback wrong-account", "fallback unsigned", "fallback wrong-kind", "fallback expired",
        "fallback issued-in-future", "fallback device-locked", "fallback possibly-replayed",
        "fallback removed-account", "register created", "register unchanged",
        "register reinstalled", "register unreachable", "register device-locked", "ask asked",
        "ask not-due", "renew done", "remove done",
    ]

    @Test("The file has all scenarios, and each kind of event occurs") func writeScenarios()
        async throws
    {
        let path = try #require(ScenarioFile.path)
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let pool = try ScenarioPool()
        var occurred: Set<String> = []
        var written = 0
        for number in 0..<ScenarioFile.count {
            var scenario = try Scenario(seed: ScenarioFile.seed &+ UInt64(number), pool: pool)
            try await scenario.run(steps: 14)
            try file.write(contentsOf: Data(scenario.line))
            occurred.formUnion(scenario.events)
            written += 1
        }
        try file.close()
        #expect(written == ScenarioFile.count)
        let missing = Self.events.subtracting(occurred).sorted()
        #expect(ScenarioFile.count < 1000 || missing == [])
    }
}
