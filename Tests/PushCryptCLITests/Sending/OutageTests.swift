import Testing

@testable import PushCryptCLI

struct OutageTests {
    @Test("Pushes probe the server after 1, 2, 4, 8, 16, 30 and 30 seconds") func pauses() {
        var now = 100.0
        var outage = Outage(.unreachable, at: now, Outage.Pauses())
        for pause in [1.0, 2, 4, 8, 16, 30, 30] {
            #expect(outage.timeOfProbe == now + pause)
            now += pause
            outage.send(7)
            #expect(outage.timeOfProbe == nil)
            now += 0.5
            outage.endProbe(8, at: now)
            #expect(outage.timeOfProbe == nil, "another push doesn't end it")
            outage.endProbe(7, at: now)
        }
        #expect(outage.duration(at: now) == 91 + 3.5)
    }

    @Test("The patience counts from the start") func patience() {
        var outage = Outage(.unreachable, at: 100, Outage.Pauses())
        outage.send(1)
        outage.endProbe(1, at: 110)
        #expect(outage.end(patience: 60) == 160)
        #expect(!outage.isOver(at: 159, patience: 60) && outage.isOver(at: 160, patience: 60))
        #expect(outage.isOver(at: 100, patience: 0))
    }
}
