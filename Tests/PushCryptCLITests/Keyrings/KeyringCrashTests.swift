import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// If the tool is killed at any time, the keyring is the old or the new one, and no message is
/// lost.
///
/// The kernel keeps what was done before the kill; ``KeyringPowerLossTests`` is about what a disk
/// keeps.
@Suite(.toolThreads, .tracing, .longRun) struct KeyringCrashTests {
    @Test("A rotation may be killed before any system call")
    func aRotationMayBeKilledBeforeEverySystemCall() throws {
        let scenario = try PreparedScenario(.rotating)
        // The heap starts at a random address, so the number of its brk calls differs from run to
        // run.
        try expectNoLoss(in: scenario, killing: scenario.calls().filter { $0.name != "brk" })
    }

    // Calls about memory change nothing on the disk: of those that follow one another only the
    // first is a place to kill.
    @Test(
        "Any command may be killed before any change of a file",
        arguments: [
            .making, .preparing, .promoting, .retiring, .destroying, .pruning,
        ] as [KeyringScenario])
    func anyChangeMayBeKilledBeforeEveryChangeOfAFile(_ scenario: KeyringScenario) throws {
        let scenario = try PreparedScenario(scenario)
        let calls = try scenario.calls().filter { $0.name != "brk" }
        let places = calls.indices.filter {
            $0 == 0 || !calls[$0].isAboutMemory || !calls[$0 - 1].isAboutMemory
        }
        try expectNoLoss(in: scenario, killing: places.map { calls[$0] })
    }

    private func expectNoLoss(in scenario: PreparedScenario, killing calls: [SystemCall]) throws {
        var seen: [PreparedScenario.State] = []
        var leftovers = 0
        for call in calls {
            let tool = try scenario.directory()
            let place = "killed before \(call)"
            let run = try tool.run(scenario.arguments, meddling: .kill(before: call))
            #expect(run.wasKilled && run.status == 9, "\(place): the run was not killed")
            if try tool.names.contains(where: { $0.hasSuffix(".tmp") }) { leftovers += 1 }
            let state = try scenario.state(in: tool, place)
            if seen.last != state { seen.append(state) }
            // A server that has the new public key may seal to it.
            if !run.output.isEmpty { #expect(state == .new, "\(place): announced, and not there") }
            try scenario.expectThatTheNextKeygenSucceeds(in: tool, place)
        }
        // There is one step from the old to the new keyring, and these kills were before and after
        // it.
        #expect(seen == [scenario.contents == nil ? .absent : .old, .new])
        #expect(leftovers > 0, "no kill left a temporary file, so none shows that it is removed")
    }
}
