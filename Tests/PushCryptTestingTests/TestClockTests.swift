import Foundation
import PushCryptSystem
import PushCryptTesting
import Testing

@Suite struct TestClockTests {
    @Test("Due actions run in order") func dueActionsRunInOrder() {
        let time = TestClock()
        let order = LockedValue<[Int]>([])
        _ = time.schedule(after: 10) { order.withLock { $0.append(10) } }
        _ = time.schedule(after: 5) { order.withLock { $0.append(5) } }
        let cancel = time.schedule(after: 7) { order.withLock { $0.append(7) } }
        cancel()
        time.advance(by: 4)
        #expect(order.withLock { $0 } == [])
        time.advance(by: 20)
        time.advance(by: 20)
        #expect(order.withLock { $0 } == [5, 10])
        #expect(time.waiting == 0)
    }
}
