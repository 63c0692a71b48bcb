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
        #expect(failed.withValue { $0 } == 1)
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
}
