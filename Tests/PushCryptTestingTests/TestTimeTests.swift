import Foundation
import PushCryptTesting
import Testing

@Suite struct TestTimeTests {
    @Test func actionsRunWhenTheirTimeComesTheEarliestFirst() {
        let time = TestTime()
        let order = Protected<[Int]>([])
        _ = time.schedule(after: 10) { order.withValue { $0.append(10) } }
        _ = time.schedule(after: 5) { order.withValue { $0.append(5) } }
        let cancel = time.schedule(after: 7) { order.withValue { $0.append(7) } }
        cancel()
        time.advance(by: 4)
        #expect(order.withValue { $0 } == [])
        time.advance(by: 20)
        time.advance(by: 20)
        #expect(order.withValue { $0 } == [5, 10])
        #expect(time.waiting == 0)
    }
}
