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

    private func notificationOpener(_ store: any KeyStore) -> NotificationOpener {
        NotificationOpener(Opener(keys: store, senderPolicy: .anyone))
    }

    /// Waits for something that another thread is about to do.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2000 where !condition() { usleep(5000) }
        return condition()
    }

    @Test func aMessageIsOpenedAndHandedOver() throws {
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let handler = NotificationHandler(notificationOpener(InMemoryKeyStore([device])), timer: time)
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
        // Nothing is left behind that would keep the request's memory until the deadline.
        #expect(eventually { time.waiting == 0 })
        time.advance(by: 60)
        handler.expire()
        #expect(recorder.contents.count == 1)
    }

    @Test func aStoreThatThrowsShowsTheFallback() throws {
        let recorder = ContentHandlerRecorder()
        let events = LockedValue<[PushCryptError.Code?]>([])
        let handler = NotificationHandler(
            notificationOpener(TestKeyStore(.failure(CocoaError(.fileReadNoPermission)))), timer: TestClock(),
            log: { event in
                if let outcome = event.outcome { events.withLock { $0.append(outcome.failure?.code) } }
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        #expect(eventually { events.withLock { $0 } == [.keyUnreadable] })
    }

    @Test func aStoreThatHangsShowsTheFallbackAtTheDeadlineAndNotBefore() throws {
        let store = TestKeyStore(.hanging)
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let handler = NotificationHandler(notificationOpener(store), deadline: 20, timer: time)
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
        let recorders = (0..<5).map { _ in ContentHandlerRecorder() }
        let handler = NotificationHandler(notificationOpener(store), timer: TestClock())
        for recorder in recorders { handler.handle(delivered, handler: recorder.handler) }
        handler.expire()
        for recorder in recorders { #expect(recorder.contents.map(\.body) == ["(Encrypted)"]) }
        for _ in recorders { store.release() }
        #expect(recorders.allSatisfy { $0.contents.count == 1 })
    }

    @Test func theDeadlineOfTheSystemsTimerComes() throws {
        let store = TestKeyStore(.hanging)
        let recorder = ContentHandlerRecorder()
        NotificationHandler(notificationOpener(store), deadline: 0.05).handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "(Encrypted)")
        store.release()
    }

    @Test func anImprovementIsHandedOver() throws {
        let recorder = ContentHandlerRecorder()
        let handler = NotificationHandler(notificationOpener(InMemoryKeyStore([device])), timer: TestClock()) {
            content, push in
            var better = content
            better.title = "Anna"
            #expect(push.payload.count > 10)
            return better
        }
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.title == "Anna")
    }

    @Test func theOpenedTextSurvivesAnImprovementThatFails() throws {
        let recorder = ContentHandlerRecorder()
        let failed = LockedValue(0)
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
            customization: { _, _ in throw CocoaError(.fileReadNoSuchFile) },
            log: { event in
                if let error = event.failure, error.code == .customizationFailed {
                    failed.withLock { $0 += 1 }
                }
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
        #expect(eventually { failed.withLock { $0 } == 1 })
    }

    @Test func theOpenedTextSurvivesAnImprovementThatEmptiesIt() throws {
        let recorder = ContentHandlerRecorder()
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
            customization: { _, _ in NotificationContent() })
        handler.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait()?.body == "opened")
    }

    @Test(arguments: [true, false])
    func theOpenedTextSurvivesAnImprovementThatIsTooSlow(expiry: Bool) throws {
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let begun = LockedValue(false)
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: time,
            customization: { content, _ in
                begun.withLock { $0 = true }
                try await Task.sleep(nanoseconds: 60_000_000_000)
                return content
            })
        handler.handle(delivered, handler: recorder.handler)
        #expect(eventually { begun.withLock { $0 } })
        if expiry { handler.expire() } else { time.advance(by: 20) }
        #expect(recorder.contents.map(\.body) == ["opened"])
    }

    @Test func overlappingRequestsDoNotMix() throws {
        let handler = NotificationHandler(notificationOpener(InMemoryKeyStore([device])))
        let recorders = (0..<100).map { _ in ContentHandlerRecorder() }
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
        let handler = NotificationHandler(notificationOpener(InMemoryKeyStore([device])), timer: TestClock())
        let begun = DispatchSemaphore(value: 0)
        let done = LockedValue(false)
        handler.handle(delivered) { _ in
            begun.signal()
            usleep(200_000)
            done.withLock { $0 = true }
        }
        begun.wait()
        handler.expire()
        #expect(done.withLock { $0 })
    }

    @Test func aHandlerThatHangsHoldsUpNoOtherAtExpiry() throws {
        let store = TestKeyStore(.hanging)
        let handler = NotificationHandler(notificationOpener(store), timer: TestClock())
        let hang = DispatchSemaphore(value: 0)
        handler.handle(delivered) { _ in hang.wait() }
        let recorders = (0..<8).map { _ in ContentHandlerRecorder() }
        for recorder in recorders { handler.handle(delivered, handler: recorder.handler) }
        handler.expire()
        for recorder in recorders { #expect(recorder.wait()?.body == "(Encrypted)") }
        hang.signal()
        for _ in 0..<9 { store.release() }
    }

    @Test func aLogThatBlocksHoldsUpNothing() throws {
        let recorder = ContentHandlerRecorder()
        let hang = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
            customization: { _, _ in throw CocoaError(.fileReadNoSuchFile) }, log: { _ in hang.wait() })
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
        let improved = LockedValue(0)
        var opener = Opener(keys: Slow(key: device, mayAnswer: mayAnswer), senderPolicy: .anyone)
        opener.replayGuard = InMemoryReplayGuard()
        let handler = NotificationHandler(
            NotificationOpener(opener), timer: TestClock(),
            customization: { content, _ in
                improved.withLock { $0 += 1 }
                return content
            })
        let first = ContentHandlerRecorder()
        handler.handle(delivered, handler: first.handler)
        handler.expire()
        #expect(first.contents.map(\.body) == ["(Encrypted)"])
        mayAnswer.signal()
        // Delivered again, it opens: the first attempt, which nobody waited for, has not counted.
        usleep(100_000)
        let second = ContentHandlerRecorder()
        handler.handle(delivered, handler: second.handler)
        mayAnswer.signal()
        #expect(second.wait()?.body == "opened")
        #expect(improved.withLock { $0 } == 1)
    }

    @Test func anImprovementIsCancelledWhenItsTimeIsOver() throws {
        let cancelled = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
            customization: { content, _ in
                begun.signal()
                do {
                    try await Task.sleep(nanoseconds: 60_000_000_000)
                } catch {
                    cancelled.signal()
                }
                return content
            })
        let recorder = ContentHandlerRecorder()
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
                notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
                customization: { content, _ in
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
        let cancelled = LockedValue(0)

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            action()
            return { cancelled.withLock { $0 += 1 } }
        }
    }

    @Test func aDeadlineThatIsThereAtOnceIsLetGoOf() throws {
        let timer = Impatient()
        let recorder = ContentHandlerRecorder()
        NotificationHandler(notificationOpener(InMemoryKeyStore([device])), timer: timer)
            .handle(delivered, handler: recorder.handler)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        #expect(timer.cancelled.withLock { $0 } == 1, "or what it holds is held for as long as the timer likes")
    }

    // MARK: What an app may say

    /// A timer that notes what it is asked for.
    private struct Noting: DeadlineTimer {
        let asked = LockedValue<[TimeInterval]>([])

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            asked.withLock { $0.append(seconds) }
            return {}
        }
    }

    @Test(arguments: [(TimeInterval.nan, 20), (100, 30), (.infinity, 30), (-1, 0), (7, 7)] as [(Double, Double)])
    func aDeadlineIsWithinTheSystemsTime(said: TimeInterval, meant: TimeInterval) throws {
        let timer = Noting()
        let recorder = ContentHandlerRecorder()
        NotificationHandler(notificationOpener(InMemoryKeyStore([device])), deadline: said, timer: timer)
            .handle(delivered, handler: recorder.handler)
        #expect(timer.asked.withLock { $0 } == [meant])
        #expect(recorder.wait()?.body == "opened")
    }

    /// An error that quotes what it could not cope with, as decoders do.
    private struct Talkative: Error, CustomStringConvertible {
        let description = "quite secret"
    }

    @Test func whatAStepsErrorSaysIsNotRepeated() throws {
        let reasons = LockedValue<[String]>([])
        let handler = NotificationHandler(
            notificationOpener(InMemoryKeyStore([device])), timer: TestClock(),
            customization: { _, _ in throw Talkative() },
            log: { event in
                if let error = event.failure, error.code == .customizationFailed {
                    reasons.withLock { $0.append(error.reason) }
                }
            })
        handler.handle(delivered) { _ in }
        #expect(eventually { !reasons.withLock { $0.isEmpty } })
        #expect(reasons.withLock { $0.allSatisfy { $0.contains("Talkative") && !$0.contains("secret") } })
    }
}
