import Foundation
import Testing

@testable import PushCryptCLI

@Suite(.toolThreads) struct InboxTests {
    @Test("The events of each thread come in their order, and none is lost")
    func eventsOfThreads() {
        let inbox = Inbox<Int>()
        for thread in 0..<4 {
            Thread { for number in 0..<1000 { inbox.post(1000 * thread + number) } }.start()
        }
        var taken: [Int] = []
        var all: [Int] = []
        while all.count < 4000 {
            inbox.take(into: &taken)
            #expect(!taken.isEmpty)
            all += taken
        }
        for thread in 0..<4 {
            let numbers = all.filter { $0 / 1000 == thread }.map { $0 % 1000 }
            #expect(numbers == Array(0..<1000))
        }
    }

    @Test("The wait ends at its limit, without events of an earlier wait") func theWaitEnds() {
        let inbox = Inbox<Int>()
        var taken = [1, 2]
        inbox.take(into: &taken, until: Clock.now + 0.01)
        #expect(taken.isEmpty)
        inbox.post(3)
        inbox.take(into: &taken, until: 0)
        #expect(taken == [3])
    }
}
