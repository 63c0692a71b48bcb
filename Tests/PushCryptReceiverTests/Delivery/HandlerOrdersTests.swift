import Foundation
import PushCryptTesting
import TestSupport
import Testing

/// The real inbox with real threads, in each order of outside events: the key store's response, the
/// end of the customization, the deadline, the expiry.
///
/// The test triggers each event, without sleeping. The explorer covers the orders of the inbox's
/// own steps.
@Suite(.ownThread) struct HandlerOrdersTests {
    enum Event: CaseIterable { case storeAnswers, stepEnds, deadline, expiry }

    /// The customization's result.
    enum Ending: CaseIterable { case improves, empties, fails }

    private static var orders: [[Event]] {
        func orders(of events: [Event]) -> [[Event]] {
            events.isEmpty
                ? [[]]
                : events.flatMap { first in
                    orders(of: events.filter { $0 != first }).map { [first] + $0 }
                }
        }
        return orders(of: Event.allCases)
    }

    /// A signal that releases all current and later waits.
    private final class Signal: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func send() { semaphore.signal() }

        func wait() {
            semaphore.wait()
            semaphore.signal()
        }
    }

    private struct Store: KeyStore {
        let key: RecipientPrivateKey?
        let mayAnswer: Signal
        let answers: Signal

        func signerLists() throws -> [String] { [] }

        func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
            answers.send()
            mayAnswer.wait()
            guard let key else { throw CocoaError(.fileReadNoPermission) }
            return key
        }
    }

    @Test(
        "Each order of outside events hands over the best content once", arguments: [true, false],
        Ending.allCases)
    func eachOrderOfOutsideEventsHandsOverTheBestContentOnce(opens: Bool, ending: Ending) throws {
        #expect(Self.orders.count == 24)
        for order in Self.orders { try run(order, opens, ending) }
    }

    private func run(_ order: [Event], _ opens: Bool, _ ending: Ending) throws {
        let device = try TestKeys.device()
        let push = try Sealer(.anonymous).seal(
            json: #"{"aps":{"alert":"opened"}}"#.utf8, for: device.publicKey)
        let store = Store(key: opens ? device : nil, mayAnswer: Signal(), answers: Signal())
        let (stepBegins, stepMayEnd, isOver) = (Signal(), Signal(), Signal())
        let time = TestClock()
        let recorder = ContentHandlerRecorder()
        let inbox = PushInbox(PushConfiguration(keys: store, senderPolicy: .anyone), timer: time)
        inbox.handle(
            try DeliveredNotification(json: push.payload),
            customization: { content, _ in
                stepBegins.send()
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    DispatchQueue.global().async {
                        stepMayEnd.wait()
                        continuation.resume()
                    }
                }
                switch ending {
                case .improves: return NotificationContent(body: "improved")
                case .empties: return NotificationContent()
                case .fails: throw CocoaError(.fileReadUnknown)
                }
            }, log: { if $0.outcome != nil { isOver.send() } }, handler: recorder.handler)
        store.answers.wait()

        // The expected content. The deadline, the expiry, a failing store and the customization
        // each end the request.
        var best = "(Encrypted)"
        var isShown = false
        var hasAnswered = false
        for event in order {
            switch event {
            case .storeAnswers:
                store.mayAnswer.send()
                hasAnswered = true
                guard !isShown else { break }
                if opens { best = "opened" } else { isShown = true }
                // The next event must not come before the request has reached this state.
                if opens { stepBegins.wait() } else { isOver.wait() }
                if opens,
                    order.firstIndex(of: .stepEnds) ?? 0 < order.firstIndex(of: .storeAnswers) ?? 0
                {
                    // The customization was released before it began.
                    isOver.wait()
                    if ending == .improves { best = "improved" }
                    isShown = true
                }
            case .stepEnds:
                stepMayEnd.send()
                guard !isShown, hasAnswered else { break }
                isOver.wait()
                if ending == .improves { best = "improved" }
                isShown = true
            case .deadline:
                time.advance(by: 21)
                isShown = true
            case .expiry:
                inbox.expire()
                isShown = true
            }
            #expect(
                recorder.contents.map(\.body) == (isShown ? [best] : []),
                "\(order) \(opens) \(ending)")
        }
        isOver.wait()
        #expect(recorder.contents.count == 1)
    }
}
