import TestSupport
import Testing

/// Pushes with doubles at random times; 10,000 in a long run.
@Suite(.ownThread, .thorough) struct RepeatedPushSimulationTests {
    @Test(
        "No double costs a readable text, sounds twice, runs the app's code twice or stays beside the first"
    )
    func doublesAreHarmless() throws {
        let pushes = LongRun.count(120, full: 10_000)
        var delivered = 0
        var seed: UInt64 = 0
        while delivered < pushes {
            seed += 1
            var simulation = try RepeatedPushSimulation(seed: seed)
            try simulation.run(messages: 25)
            delivered += simulation.pushes
            let faults = simulation.faults
            #expect(faults == [], "seed \(seed)")
        }
        #expect(delivered >= pushes)
    }
}
