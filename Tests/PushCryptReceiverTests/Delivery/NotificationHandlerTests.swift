import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport
import Testing

@Suite(.ownThread) struct NotificationHandlerTests {
    private let device: RecipientPrivateKey
    private let delivered: DeliveredNotification

    init() throws {
        device = try TestKeys.device()
        let push = try Sealer(.anonymous)
            .seal(
                json: #"{"aps":{"alert":{"title":"t","body":"opened"}}}"#.utf8,
                for: device.publicKey)
        delivered = try DeliveredNotification(json: push.payload)
    }

    private func inbox(
        _ store: (any KeyStore)? = nil, timer: any DeadlineTimer = TestClock(),
        deadline: TimeInterval = 20
    ) -> PushInbox {
        var configuration = PushConfiguration(
            keys: store ?? InMemoryKeyStore([device]), senderPolicy: .anyone)
        configuration.deadline = deadline
        return PushInbox(configuration, timer: timer)
    }

    /// Waits for another thread.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<12_000 where !condition() { usleep(5000) }
        return condition()
    }

    @Test("A message is opened and handed over") func messageIsOpenedAndHandedOver() throws {
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let inbox = inbox(timer: time)
        inbox.handle(delivered, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "opened")
        // The deadline's action is released, so it doesn't retain the request.
        #expect(eventually { time.waiting == 0 })
        time.advance(by: 60)
        inbox.expire()
        #expect(recorder.contents.count == 1)
    }

    @Test("A key store that throws leads to the fallback")
    func keyStoreThatThrowsLeadsToTheFallback() throws {
        let recorder = ContentHandlerRecorder()
        let events = LockedValue<[PushCryptError.Code?]>([])
        let inbox = inbox(TestKeyStore(.failure(CocoaError(.fileReadNoPermission))))
        inbox.handle(
            delivered,
            log: { event in
                if let outcome = event.outcome {
                    events.withLock { $0.append(outcome.failure?.code) }
                }
            }, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)")
        #expect(eventually { events.withLock { $0 } == [.keyUnreadable] })
    }

    @Test("A key store that hangs leads to the fallback at the deadline")
    func keyStoreThatHangsLeadsToTheFallbackAtTheDeadline() throws {
        let store = TestKeyStore(.hanging)
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let inbox = inbox(store, timer: time)
        inbox.handle(delivered, handler: recorder.handler)
        time.advance(by: 19.9)
        #expect(recorder.contents.isEmpty)
        time.advance(by: 0.2)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        store.release()
        inbox.expire()
        #expect(recorder.contents.count == 1)
    }

    @Test("An expiry hands over before it returns") func expiryHandsOverBeforeItReturns() throws {
        // A loaded machine may need another attempt: after a second, an expiry doesn't wait for the
        // handlers.
        let attempt = try #require(
            (0..<20).first { _ in try expiryIsInTime() }, "each expiry takes a second")
        #expect(attempt < 20)
    }

    private func expiryIsInTime() throws -> Bool {
        let store = TestKeyStore(.hanging)
        let recorders = (0..<5).map { _ in ContentHandlerRecorder() }
        let inbox = inbox(store)
        for recorder in recorders { inbox.handle(delivered, handler: recorder.handler) }
        let isInTime = inbox.expireInTime()
        if isInTime { #expect(recorders.allSatisfy { $0.contents.count == 1 }) }
        for recorder in recorders { #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)") }
        for _ in recorders { store.release() }
        #expect(recorders.allSatisfy { $0.contents.count == 1 })
        return isInTime
    }

    @Test("The system's timer ends a request") func systemsTimerEndsARequest() throws {
        let store = TestKeyStore(.hanging)
        let recorder = ContentHandlerRecorder()
        inbox(store, timer: SystemTimer(), deadline: 0.05).handle(
            delivered, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)")
        store.release()
    }

    @Test("Customized content is handed over") func customizedContentIsHandedOver() throws {
        let recorder = ContentHandlerRecorder()
        let customization: PushInbox.Customization = { content, push in
            var better = content
            better.title = "Anna"
            #expect(push.payload.count > 10)
            return better
        }
        inbox().handle(delivered, customization: customization, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.title == "Anna")
    }

    @Test("The opened text survives a customization that throws")
    func openedTextSurvivesACustomizationThatThrows()
        throws
    {
        let recorder = ContentHandlerRecorder()
        let failed = LockedValue(0)
        inbox().handle(
            delivered, customization: { _, _ in throw CocoaError(.fileReadNoSuchFile) },
            log: { event in
                if let error = event.failure, error.code == .customizationFailed {
                    failed.withLock { $0 += 1 }
                }
            }, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "opened")
        #expect(eventually { failed.withLock { $0 } == 1 })
    }

    @Test("The opened text survives a customization that removes it")
    func openedTextSurvivesACustomizationThatRemovesIt() throws {
        let recorder = ContentHandlerRecorder()
        inbox().handle(
            delivered, customization: { _, _ in NotificationContent() }, handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "opened")
    }

    @Test("The opened text survives a customization that is too slow", arguments: [true, false])
    func openedTextSurvivesACustomizationThatIsTooSlow(expiry: Bool) throws {
        let recorder = ContentHandlerRecorder()
        let time = TestClock()
        let begun = LockedValue(false)
        let inbox = inbox(timer: time)
        inbox.handle(
            delivered,
            customization: { content, _ in
                begun.withLock { $0 = true }
                try await Task.sleep(nanoseconds: 60_000_000_000)
                return content
            }, handler: recorder.handler)
        #expect(eventually { begun.withLock { $0 } })
        if expiry { inbox.expire() } else { time.advance(by: 20) }
        #expect(recorder.contents.map(\.body) == ["opened"])
    }

    @Test("Overlapping requests don't mix") func overlappingRequestsDontMix() throws {
        let inbox = inbox()
        let recorders = (0..<100).map { _ in ContentHandlerRecorder() }
        for (number, recorder) in recorders.enumerated() {
            let push = try Sealer(.anonymous)
                .seal(json: #"{"aps":{"alert":"text \#(number)"}}"#.utf8, for: device.publicKey)
            inbox.handle(try DeliveredNotification(json: push.payload), handler: recorder.handler)
        }
        for (number, recorder) in recorders.enumerated() {
            #expect(recorder.wait(seconds: 600)?.body == "text \(number)")
            #expect(recorder.contents.count == 1)
        }
    }

    // MARK: Races and hangs

    @Test("An expiry waits for a handler that another thread calls")
    func expiryWaitsForAHandlerThatAnotherThreadCalls()
        throws
    {
        let inbox = inbox()
        let begun = DispatchSemaphore(value: 0)
        let done = LockedValue(false)
        inbox.handle(delivered) { _ in
            begun.signal()
            usleep(50_000)
            done.withLock { $0 = true }
        }
        begun.wait()
        inbox.expire()
        #expect(done.withLock { $0 })
    }

    @Test("A handler that hangs doesn't delay other requests at expiry")
    func handlerThatHangsDoesntDelayOtherRequestsAtExpiry() throws {
        let store = TestKeyStore(.hanging)
        let inbox = inbox(store)
        let hang = DispatchSemaphore(value: 0)
        inbox.handle(delivered) { _ in hang.wait() }
        let recorders = (0..<8).map { _ in ContentHandlerRecorder() }
        for recorder in recorders { inbox.handle(delivered, handler: recorder.handler) }
        inbox.expire()
        for recorder in recorders { #expect(recorder.wait(seconds: 600)?.body == "(Encrypted)") }
        hang.signal()
        for _ in 0..<9 { store.release() }
    }

    @Test("A log that blocks doesn't delay the handler") func logThatBlocksDoesntDelayTheHandler()
        throws
    {
        let recorder = ContentHandlerRecorder()
        let hang = DispatchSemaphore(value: 0)
        let inbox = inbox()
        inbox.handle(
            delivered, customization: { _, _ in throw CocoaError(.fileReadNoSuchFile) },
            log: { _ in hang.wait() },
            handler: recorder.handler)
        #expect(recorder.wait(seconds: 600)?.body == "opened")
        inbox.expire()
        for _ in 0..<2 { hang.signal() }
    }

    @Test("A message that opens too late doesn't use up its ID")
    func messageThatOpensTooLateDoesntUseUpItsID() throws {
        struct Slow: KeyStore {
            let key: RecipientPrivateKey
            let mayAnswer: DispatchSemaphore
            func signerLists() throws -> [String] { [] }

            func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
                mayAnswer.wait()
                return key
            }
        }
        let mayAnswer = DispatchSemaphore(value: 0)
        let improved = LockedValue(0)
        let scratch = try Scratch()
        var configuration = PushConfiguration(
            keys: Slow(key: device, mayAnswer: mayAnswer), senderPolicy: .anyone)
        configuration.directory = scratch.path
        let inbox = PushInbox(configuration, timer: TestClock())
        let customization: PushInbox.Customization = { content, _ in
            improved.withLock { $0 += 1 }
            return content
        }
        let first = ContentHandlerRecorder()
        inbox.handle(delivered, customization: customization, handler: first.handler)
        inbox.expire()
        #expect(first.contents.map(\.body) == ["(Encrypted)"])
        mayAnswer.signal()
        // Delivered again, the message opens, because the late attempt hasn't used up its ID.
        usleep(100_000)
        let second = ContentHandlerRecorder()
        inbox.handle(delivered, customization: customization, handler: second.handler)
        mayAnswer.signal()
        #expect(second.wait(seconds: 600)?.body == "opened")
        #expect(improved.withLock { $0 } == 1)
    }

    @Test("A customization is canceled when its time is over")
    func customizationIsCanceledWhenItsTimeIsOver() throws {
        let cancelled = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let recorder = ContentHandlerRecorder()
        let inbox = inbox()
        inbox.handle(
            delivered,
            customization: { content, _ in
                begun.signal()
                do {
                    try await Task.sleep(nanoseconds: 60_000_000_000)
                } catch {
                    cancelled.signal()
                }
                return content
            }, handler: recorder.handler)
        begun.wait()
        inbox.expire()
        #expect(cancelled.wait(timeout: .now() + 600) == .success)
        #expect(recorder.contents.map(\.body) == ["opened"])
    }

    /// The request may end before the inbox has stored the customization's task, or after.
    @Test("Each customization is canceled when its time is over")
    func eachCustomizationIsCanceledWhenItsTimeIsOver()
        throws
    {
        for _ in 0..<200 {
            let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let inbox = inbox()
            inbox.handle(
                delivered,
                customization: { content, _ in
                    begun.signal()
                    try? await Task.sleep(nanoseconds: 60_000_000_000)
                    cancelled.signal()
                    return content
                }, handler: { _ in })
            begun.wait()
            inbox.expire()
            try #require(cancelled.wait(timeout: .now() + 600) == .success)
        }
    }

    /// A timer that runs its action at once.
    private struct Impatient: DeadlineTimer {
        let cancelled = LockedValue(0)

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void)
            -> @Sendable () -> Void
        {
            action()
            return { cancelled.withLock { $0 += 1 } }
        }
    }

    @Test("A deadline that passes at once is canceled") func deadlineThatPassesAtOnceIsCanceled()
        throws
    {
        let timer = Impatient()
        let recorder = ContentHandlerRecorder()
        inbox(timer: timer).handle(delivered, handler: recorder.handler)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        #expect(timer.cancelled.withLock { $0 } == 1, "The timer must not retain the request.")
    }

    // MARK: Limits

    /// A timer that records the requested times.
    private struct Noting: DeadlineTimer {
        let asked = LockedValue<[TimeInterval]>([])

        func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void)
            -> @Sendable () -> Void
        {
            asked.withLock { $0.append(seconds) }
            return {}
        }
    }

    @Test(
        "The deadline is within the system's time",
        arguments: [(TimeInterval.nan, 20), (100, 30), (.infinity, 30), (-1, 0), (7, 7)]
            as [(Double, Double)])
    func deadlineIsWithinTheSystemsTime(said: TimeInterval, meant: TimeInterval) throws {
        let timer = Noting()
        let recorder = ContentHandlerRecorder()
        inbox(timer: timer, deadline: said).handle(delivered, handler: recorder.handler)
        #expect(timer.asked.withLock { $0 } == [meant])
        #expect(recorder.wait(seconds: 600)?.body == "opened")
    }

    /// An error that quotes content, as decoders do.
    private struct Talkative: Error, CustomStringConvertible {
        let description = "quite secret"
    }

    @Test("A customization's error isn't quoted") func customizationsErrorIsntQuoted() throws {
        let reasons = LockedValue<[String]>([])
        inbox().handle(
            delivered, customization: { _, _ in throw Talkative() },
            log: { event in
                if let error = event.failure, error.code == .customizationFailed {
                    reasons.withLock { $0.append(error.reason) }
                }
            }, handler: { _ in })
        #expect(eventually { !reasons.withLock { $0.isEmpty } })
        #expect(
            reasons.withLock {
                $0.allSatisfy { $0.contains("Talkative") && !$0.contains("secret") }
            })
    }
}
