import PushCryptSystem
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

/// A gate in each order of events, and on many threads.
@Suite struct DeliveryGateTests {
    /// The events of a request.
    enum Event: CaseIterable {
        case fails, opens, improves, improvesToNothing, finishes, deadline, expiry
    }

    private static func notification(_ body: String, _ outcome: PushOutcome) -> Presented {
        Presented(NotificationContent(body: body), outcome)
    }

    private static let unsealed = PushOutcome(.unsealed)

    private static func failure(_ code: PushCryptError.Code) -> PushOutcome {
        PushOutcome(.fallback, failure: PushCryptError(code, "a reason"))
    }

    /// Returns all orders of some events, each at most once.
    private static func orders(of events: [Event]) -> [[Event]] {
        [[]]
            + events.flatMap { first in
                orders(of: events.filter { $0 != first }).map { [first] + $0 }
            }
    }

    @Test("Each order of events hands over the best content once")
    func eachOrderOfEventsHandsOverTheBestContentOnce()
        throws
    {
        let orders = Self.orders(of: Event.allCases)
        #expect(orders.count == 13_700)
        for order in orders {
            let calls = LockedValue<[Presented]>([])
            let gate = DeliveryGate(
                fallback: Self.notification("(Encrypted)", Self.failure(.deadlinePassed))
            ) { call in
                calls.withLock { $0.append(call) }
            }
            // A model of the gate: the best content so far, and the delivered one.
            var best = "(Encrypted)"
            var handedOver: String?
            for event in order {
                switch event {
                case .fails:
                    gate.update(Self.notification("(Encrypted)", Self.failure(.decryptionFailed)))
                    if handedOver == nil { best = "(Encrypted)" }
                case .opens:
                    gate.update(Self.notification("opened", Self.unsealed))
                    if handedOver == nil { best = "opened" }
                case .improves:
                    gate.update(Self.notification("opened, with a picture", Self.unsealed))
                    if handedOver == nil { best = "opened, with a picture" }
                case .improvesToNothing:
                    #expect(!gate.update(Self.notification("", Self.unsealed)))
                case .finishes:
                    #expect(gate.close() == (handedOver == nil))
                    handedOver = handedOver ?? best
                case .deadline, .expiry:
                    let code: PushCryptError.Code =
                        event == .deadline ? .deadlinePassed : .timeExpired
                    #expect(gate.close(because: PushCryptError(code, "")) == (handedOver == nil))
                    handedOver = handedOver ?? best
                }
                #expect(gate.isClosed == (handedOver != nil))
            }
            let contents = calls.withLock { $0 }
            #expect(contents.map(\.content.body) == (handedOver.map { [$0] } ?? []), "\(order)")
            #expect(contents.allSatisfy { $0.content.hasText })
        }
    }

    @Test("The closing reason replaces the fallback's") func closingReasonReplacesTheFallbacks()
        throws
    {
        let calls = LockedValue<[Presented]>([])
        let gate = DeliveryGate(
            fallback: Self.notification("(Encrypted)", Self.failure(.deadlinePassed))
        ) { call in
            calls.withLock { $0.append(call) }
        }
        gate.close(because: PushCryptError(.timeExpired, ""))
        #expect(calls.withLock { $0.first?.outcome.failure?.code } == .timeExpired)
    }

    @Test("Concurrent closings hand over once") func concurrentClosingsHandOverOnce() async throws {
        for _ in 0..<300 {
            let calls = LockedValue<[String]>([])
            let gate = DeliveryGate(
                fallback: Self.notification("(Encrypted)", Self.failure(.deadlinePassed))
            ) { call in
                calls.withLock { $0.append(call.content.body) }
            }
            let closed = await withTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        switch number % 4 {
                        case 0:
                            gate.update(Self.notification("opened", Self.unsealed))
                            return gate.close() ? 1 : 0
                        case 1:
                            return gate.close(because: PushCryptError(.deadlinePassed, "")) ? 1 : 0
                        case 2: return gate.close(because: PushCryptError(.timeExpired, "")) ? 1 : 0
                        default:
                            gate.update(Self.notification("", Self.unsealed))
                            return 0
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(closed == 1)
            let bodies = calls.withLock { $0 }
            #expect(bodies.count == 1)
            #expect(bodies.allSatisfy { ["opened", "(Encrypted)"].contains($0) })
        }
    }

    @Test("A handler may close its own gate") func handlerMayCloseItsOwnGate() throws {
        let gates = LockedValue<DeliveryGate<Presented>?>(nil)
        let calls = LockedValue(0)
        let gate = DeliveryGate(
            fallback: Self.notification("(Encrypted)", Self.failure(.deadlinePassed))
        ) { _ in
            calls.withLock { $0 += 1 }
            gates.withLock { $0 }?.close()
        }
        gates.withLock { $0 = gate }
        gate.close()
        #expect(calls.withLock { $0 } == 1)
    }

    /// A gate whose first decisions are put off.
    private func gate(
        putOff count: Int, _ decisions: LockedValue<[Bool]>, _ calls: LockedValue<[Presented]>,
        during: @escaping @Sendable () -> Void = {}
    ) -> DeliveryGate<Presented> {
        DeliveryGate(
            fallback: Self.notification("(Encrypted)", Self.failure(.deadlinePassed)),
            decide: { best, isLast in
                let number = decisions.withLock { decisions in
                    decisions.append(isLast)
                    return decisions.count
                }
                during()
                return number > count || isLast ? best : nil
            }, handler: { call in calls.withLock { $0.append(call) } })
    }

    @Test("A decision that is put off leaves the gate open")
    func decisionThatIsPutOffLeavesTheGateOpen() throws {
        let (decisions, calls) = (LockedValue<[Bool]>([]), LockedValue<[Presented]>([]))
        let gate = gate(putOff: 2, decisions, calls)
        for number in 1...2 {
            let action = gate.step {
                $0.finished(with: Self.notification("\(number)", Self.unsealed))
            }
            guard case .again = action else {
                Issue.record("The decision isn't put off.")
                return
            }
            #expect(!gate.isClosed && calls.withLock { $0.isEmpty })
        }
        gate.step { $0.finished(with: Self.notification("3", Self.unsealed)) }
        #expect(gate.isClosed)
        #expect(calls.withLock { $0.map(\.content.body) } == ["3"])
        #expect(decisions.withLock { $0 } == [false, false, false])
    }

    @Test("The deadline's decision isn't put off, and hands over the best content so far")
    func deadlinesDecisionIsNotPutOff() throws {
        let (decisions, calls) = (LockedValue<[Bool]>([]), LockedValue<[Presented]>([]))
        let gate = gate(putOff: 9, decisions, calls)
        gate.step { $0.finished(with: Self.notification("older", Self.unsealed)) }
        #expect(gate.close(because: PushCryptError(.deadlinePassed, "")))
        #expect(calls.withLock { $0.map(\.content.body) } == ["older"])
        #expect(decisions.withLock { $0 } == [false, true])
    }

    @Test("A deadline during a decision doesn't wait for it, and makes the next one the last")
    func deadlineDuringADecision() throws {
        let (decisions, calls) = (LockedValue<[Bool]>([]), LockedValue<[Presented]>([]))
        let gates = LockedValue<DeliveryGate<Presented>?>(nil)
        let gate = gate(putOff: 9, decisions, calls) {
            #expect(
                gates.withLock { $0 }?.close(because: PushCryptError(.deadlinePassed, "")) != true)
        }
        gates.withLock { $0 = gate }
        gate.step { $0.finished(with: Self.notification("opened", Self.unsealed)) }
        #expect(calls.withLock { $0.map(\.content.body) } == ["opened"])
        #expect(decisions.withLock { $0 } == [false, true])
        gates.withLock { $0 = nil }
    }
}
