import Foundation
import PushCryptTesting
import Testing

@Suite struct NotificationHandlerTests {
    private let device: RecipientPrivateKey
    private let delivered: DeliveredNotification

    init() throws {
        device = try TestKeys.device()
        let push = try Sealer(.anonymous)
            .seal(json: #"{"aps":{"alert":{"title":"t","body":"opened"}}}"#.utf8, for: device.publicKey)
        delivered = try DeliveredNotification(json: push.payload)
    }

    private func presenter(_ store: any KeyStore) -> NotificationPresenter {
        NotificationPresenter(Opener(keys: store, accepting: .anyone))
    }

    /// Waits for something that another thread is about to do.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2000 where !condition() { usleep(5000) }
        return condition()
    }

    @Test func aMessageIsOpenedAndHandedOver() throws {
        let recorder = HandlerRecorder()
        let time = TestTime()
        let handler = NotificationHandler(presenter(InMemoryKeyStore([device])), timer: time)
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
        // Nothing is left behind that would keep the request's memory until the deadline.
        #expect(eventually { time.waiting == 0 })
        time.advance(by: 60)
        handler.expire()
        #expect(recorder.contents.count == 1)
    }

    @Test func aStoreThatThrowsShowsTheFallback() throws {
        let recorder = HandlerRecorder()
        let events = Protected<[PushCryptError.Code?]>([])
        let handler = NotificationHandler(
            presenter(TestKeyStore(.failure(CocoaError(.fileReadNoPermission)))), timer: TestTime(),
            log: { event in
                if case .presented(let outcome) = event { events.withValue { $0.append(outcome.failure?.code) } }
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        #expect(eventually { events.withValue { $0 } == [.keyUnreadable] })
    }

    @Test func aStoreThatHangsShowsTheFallbackAtTheDeadlineAndNotBefore() throws {
        let store = TestKeyStore(.hanging)
        let recorder = HandlerRecorder()
        let time = TestTime()
        let handler = NotificationHandler(presenter(store), deadline: 20, timer: time)
        handler.handle(delivered, handler: recorder.handler)
        time.advance(by: 19.9)
        #expect(recorder.contents.isEmpty)
        time.advance(by: 0.2)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        store.release()
        handler.expire()
        #expect(recorder.contents.count == 1)
    }

    @Test func expiryHandsOverBeforeItReturns() throws {
        let store = TestKeyStore(.hanging)
        let recorders = (0..<5).map { _ in HandlerRecorder() }
        let handler = NotificationHandler(presenter(store), timer: TestTime())
        for recorder in recorders { handler.handle(delivered, handler: recorder.handler) }
        handler.expire()
        for recorder in recorders { #expect(recorder.contents.map(\.body) == ["(Encrypted)"]) }
        for _ in recorders { store.release() }
        #expect(recorders.allSatisfy { $0.contents.count == 1 })
    }

    @Test func theDeadlineOfTheSystemsTimerComes() throws {
        let store = TestKeyStore(.hanging)
        let recorder = HandlerRecorder()
        NotificationHandler(presenter(store), deadline: 0.05).handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        store.release()
    }

    @Test func anImprovementIsHandedOver() throws {
        let recorder = HandlerRecorder()
        let handler = NotificationHandler(presenter(InMemoryKeyStore([device])), timer: TestTime()) { content, push in
            var better = content
            better.title = "Anna"
            #expect(push.payload.count > 10)
            return better
        }
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.title == "Anna")
    }

    @Test func theOpenedTextSurvivesAnImprovementThatFails() throws {
        let recorder = HandlerRecorder()
        let failed = Protected(0)
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: TestTime(),
            improvement: { _, _ in throw CocoaError(.fileReadNoSuchFile) },
            log: { event in
                if case .improvementFailed(let error) = event, error.code == .improvementFailed {
                    failed.withValue { $0 += 1 }
                }
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
        #expect(eventually { failed.withValue { $0 } == 1 })
    }

    @Test func theOpenedTextSurvivesAnImprovementThatEmptiesIt() throws {
        let recorder = HandlerRecorder()
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: TestTime(),
            improvement: { _, _ in NotificationContent() })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
    }

    @Test(arguments: [true, false])
    func theOpenedTextSurvivesAnImprovementThatIsTooSlow(expiry: Bool) throws {
        let recorder = HandlerRecorder()
        let time = TestTime()
        let begun = Protected(false)
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: time,
            improvement: { content, _ in
                begun.withValue { $0 = true }
                try await Task.sleep(nanoseconds: 60_000_000_000)
                return content
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(eventually { begun.withValue { $0 } })
        if expiry { handler.expire() } else { time.advance(by: 20) }
        #expect(recorder.contents.map(\.body) == ["opened"])
    }

    @Test func overlappingRequestsDoNotMix() throws {
        let handler = NotificationHandler(presenter(InMemoryKeyStore([device])))
        let recorders = (0..<100).map { _ in HandlerRecorder() }
        for (number, recorder) in recorders.enumerated() {
            let push = try Sealer(.anonymous)
                .seal(json: #"{"aps":{"alert":"text \#(number)"}}"#.utf8, for: device.publicKey)
            handler.handle(try DeliveredNotification(json: push.payload), handler: recorder.handler)
        }
        for (number, recorder) in recorders.enumerated() {
            #expect(recorder.wait()?.body == "text \(number)")
            #expect(recorder.contents.count == 1)
        }
    }

    // MARK: Races and hangs

    @Test func expiryWaitsForAHandlerThatAnotherThreadIsCalling() throws {
        let handler = NotificationHandler(presenter(InMemoryKeyStore([device])), timer: TestTime())
        let begun = DispatchSemaphore(value: 0)
        let done = Protected(false)
        handler.handle(delivered) { _ in
            begun.signal()
            usleep(200_000)
            done.withValue { $0 = true }
        }
        begun.wait()
        handler.expire()
        #expect(done.withValue { $0 })
    }

    @Test func aHandlerThatHangsHoldsUpNoOtherAtExpiry() throws {
        let store = TestKeyStore(.hanging)
        let handler = NotificationHandler(presenter(store), timer: TestTime())
        let hang = DispatchSemaphore(value: 0)
        handler.handle(delivered) { _ in hang.wait() }
        let recorders = (0..<8).map { _ in HandlerRecorder() }
        for recorder in recorders { handler.handle(delivered, handler: recorder.handler) }
        handler.expire()
        for recorder in recorders { #expect(recorder.wait()?.body == "(Encrypted)") }
        hang.signal()
        for _ in 0..<9 { store.release() }
    }

    @Test func aLogThatBlocksHoldsUpNothing() throws {
        let recorder = HandlerRecorder()
        let hang = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: TestTime(),
            improvement: { _, _ in throw CocoaError(.fileReadNoSuchFile) }, log: { _ in hang.wait() })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
        handler.expire()
        for _ in 0..<2 { hang.signal() }
    }

    @Test func aMessageThatIsOpenTooLateDoesNotUseUpItsId() throws {
        struct Slow: KeyStore {
            let key: RecipientPrivateKey
            let mayAnswer: DispatchSemaphore
            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
                mayAnswer.wait()
                return key
            }
        }
        let mayAnswer = DispatchSemaphore(value: 0)
        let improved = Protected(0)
        var opener = Opener(keys: Slow(key: device, mayAnswer: mayAnswer), accepting: .anyone)
        opener.replayGuard = InMemoryReplayGuard()
        let handler = NotificationHandler(
            NotificationPresenter(opener), timer: TestTime(),
            improvement: { content, _ in
                improved.withValue { $0 += 1 }
                return content
            })
        let first = HandlerRecorder()
        handler.handle(delivered, handler: first.handler)
        handler.expire()
        #expect(first.contents.map(\.body) == ["(Encrypted)"])
        mayAnswer.signal()
        // Delivered again, it opens: the first attempt, which nobody waited for, has not counted.
        usleep(100_000)
        let second = HandlerRecorder()
        handler.handle(delivered, handler: second.handler)
        mayAnswer.signal()
        #expect(second.wait()?.body == "opened")
        #expect(improved.withValue { $0 } == 1)
    }

    @Test func anImprovementIsCancelledWhenItsTimeIsOver() throws {
        let cancelled = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: TestTime(),
            improvement: { content, _ in
                begun.signal()
                do {
                    try await Task.sleep(nanoseconds: 60_000_000_000)
                } catch {
                    cancelled.signal()
                }
                return content
            })
        let recorder = HandlerRecorder()
        handler.handle(delivered, handler: recorder.handler)
        begun.wait()
        handler.expire()
        #expect(cancelled.wait(timeout: .now() + 10) == .success)
        #expect(recorder.contents.map(\.body) == ["opened"])
    }

    /// The end of the request comes before the step is noted, or after: either way the step gets to know.
    @Test func everyImprovementWhoseTimeIsOverIsCancelled() throws {
        for _ in 0..<200 {
            let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let handler = NotificationHandler(
                presenter(InMemoryKeyStore([device])), timer: TestTime(),
                improvement: { content, _ in
                    begun.signal()
                    try? await Task.sleep(nanoseconds: 60_000_000_000)
                    cancelled.signal()
                    return content
                })
            handler.handle(delivered) { _ in }
            begun.wait()
            handler.expire()
            try #require(cancelled.wait(timeout: .now() + 10) == .success)
        }
    }

    /// A timer whose time is over at once.
    private struct Impatient: DeadlineTimer {
        let cancelled = Protected(0)

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            action()
            return { cancelled.withValue { $0 += 1 } }
        }
    }

    @Test func aDeadlineThatIsThereAtOnceIsLetGoOf() throws {
        let timer = Impatient()
        let recorder = HandlerRecorder()
        NotificationHandler(presenter(InMemoryKeyStore([device])), timer: timer)
            .handle(delivered, handler: recorder.handler)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        #expect(timer.cancelled.withValue { $0 } == 1, "or what it holds is held for as long as the timer likes")
    }

    // MARK: What an app may say

    /// A timer that notes what it is asked for.
    private struct Noting: DeadlineTimer {
        let asked = Protected<[TimeInterval]>([])

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            asked.withValue { $0.append(seconds) }
            return {}
        }
    }

    @Test(arguments: [(TimeInterval.nan, 20), (100, 30), (.infinity, 30), (-1, 0), (7, 7)] as [(Double, Double)])
    func aDeadlineIsWithinTheSystemsTime(said: TimeInterval, meant: TimeInterval) throws {
        let timer = Noting()
        let recorder = HandlerRecorder()
        NotificationHandler(presenter(InMemoryKeyStore([device])), deadline: said, timer: timer)
            .handle(delivered, handler: recorder.handler)
        #expect(timer.asked.withValue { $0 } == [meant])
        #expect(recorder.wait()?.body == "opened")
    }

    /// An error that quotes what it could not cope with, as decoders do.
    private struct Talkative: Error, CustomStringConvertible {
        let description = "quite secret"
    }

    @Test func whatAStepsErrorSaysIsNotRepeated() throws {
        let reasons = Protected<[String]>([])
        let handler = NotificationHandler(
            presenter(InMemoryKeyStore([device])), timer: TestTime(),
            improvement: { _, _ in throw Talkative() },
            log: { event in
                if case .improvementFailed(let error) = event { reasons.withValue { $0.append(error.reason) } }
            })
        handler.handle(delivered) { _ in }
        #expect(eventually { !reasons.withValue { $0.isEmpty } })
        #expect(reasons.withValue { $0.allSatisfy { $0.contains("Talkative") && !$0.contains("secret") } })
    }
}
