#if APNs
internal import NIOCore
internal import PushCryptSystem

/// The orders of the callers' threads to the client's event loop.
///
/// The loop wakes once for all orders that arrive until it reads them.
final class Mailbox: Sendable {
    enum Order: Sendable {
        case send(Submission)
        case cancel(UInt64)
        case cancelAll
        /// Ends the client, and calls a function when its connections are closed.
        case shutDown(@Sendable () -> Void)
    }

    private struct Inbox {
        var orders: [Order] = []
        /// A Boolean value that indicates whether the loop reads the orders, or will.
        var isRead = false
        /// The number of the last submission.
        var number: UInt64 = 0
    }

    private let loop: any EventLoop
    private let settings: Deliveries.Settings
    private let inbox = LockedValue(Inbox())
    /// Created on the loop by the first order.
    private let deliveries: NIOLoopBoundBox<Deliveries?>

    init(_ settings: Deliveries.Settings, on loop: any EventLoop) {
        self.settings = settings
        self.loop = loop
        deliveries = .makeEmptyBox(eventLoop: loop)
    }

    /// Hands over an order.
    func post(_ order: Order) {
        let isRead = inbox.withLock { inbox in
            defer { inbox.isRead = true }
            inbox.orders.append(order)
            return inbox.isRead
        }
        if !isRead { loop.execute { self.read() } }
    }

    /// Returns the number of a new submission.
    func nextNumber() -> UInt64 {
        inbox.withLock { inbox in
            inbox.number += 1
            return inbox.number
        }
    }

    /// Carries out the orders, until no more arrive.
    private func read() {
        let deliveries = self.deliveries.value ?? Deliveries(settings, on: loop)
        self.deliveries.value = deliveries
        while let orders = next() {
            carryOut(orders, deliveries)
            deliveries.pump()
        }
    }

    /// Returns the orders that have arrived, or `nil` if there are none.
    private func next() -> [Order]? {
        inbox.withLock { inbox in
            inbox.isRead = !inbox.orders.isEmpty
            defer { inbox.orders = [] }
            return inbox.isRead ? inbox.orders : nil
        }
    }

    private func carryOut(_ orders: [Order], _ deliveries: Deliveries) {
        for order in orders {
            switch order {
            case .send(let submission): deliveries.add(submission)
            case .cancel(let number): deliveries.cancel(number)
            case .cancelAll: deliveries.cancelAll()
            case .shutDown(let whenClosed):
                EventLoopFuture.andAllComplete(deliveries.shutDown().map(\.closeFuture), on: loop)
                    .whenComplete { _ in whenClosed() }
            }
        }
    }
}
#endif
