#if APNs
import Testing

@testable import PushCryptAPNs

@Suite("Silence of a connection") struct LivenessTests {
    @Test("Silence while requests wait leads to PING, and to the end") func silence() {
        var liveness = Liveness()
        liveness.restart()
        var steps: [Liveness.Step] = []
        for _ in 0..<Liveness.ticksBeforeEnd { steps.append(liveness.advance(isWaiting: true)) }
        #expect(steps.firstIndex(of: .ping) == Liveness.ticksBeforePing - 1)
        #expect(steps.count { $0 == .ping } == 1)
        #expect(steps.firstIndex(of: .close) == Liveness.ticksBeforeEnd - 1)
    }

    @Test("A connection on which nothing waits may be silent") func idle() {
        var liveness = Liveness()
        for _ in 0..<100 { #expect(liveness.advance(isWaiting: false) == .wait) }
        liveness.restart()
        #expect(liveness.advance(isWaiting: true) == .wait)
    }

    @Test("Any frame counts as a sign of life") func frames() {
        var liveness = Liveness()
        liveness.restart()
        for _ in 0..<100 {
            #expect(liveness.advance(isWaiting: true) == .wait)
            liveness.heard()
        }
    }

    @Test("A PING before a request ends a dead connection, too") func pingBeforeRequest() {
        var liveness = Liveness()
        liveness.pinged()
        let steps = (0..<Liveness.ticksBeforeEnd).map { _ in liveness.advance(isWaiting: false) }
        #expect(steps.last == .close && !steps.contains(.ping))
        liveness = Liveness()
        liveness.pinged()
        liveness.heardPing()
        for _ in 0..<100 { #expect(liveness.advance(isWaiting: false) == .wait) }
    }

    @Test("The ticks fit the time limit of a request", arguments: [0.5, 1, 3, 20, 30, 600])
    func patience(seconds: Double) {
        let patience = Patience(seconds: seconds, idle: 60)
        #expect(patience.tick <= 1_000_000_000)
        let limit = Double(patience.tick) * Double(patience.ticksOfRequest) / 1e9
        #expect(limit <= seconds && limit > seconds * 0.9)
        let silence = Double(patience.tick) * Double(Liveness.ticksBeforeEnd) / 1e9
        #expect(silence <= 10 && silence < seconds)
    }
}
#endif
