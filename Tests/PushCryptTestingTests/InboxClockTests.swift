import Foundation
import PushCryptTesting
import Testing

@Suite struct InboxClockTests {
    private let clock = TestClock()

    private func configuration(_ keys: any KeyStore) throws -> PushConfiguration {
        PushConfiguration(keys: keys, senderPolicy: .signed(by: try TestKeys.sender().publicKey))
    }

    private func notification() throws -> DeliveredNotification {
        let sealer = Sealer(.signed(by: try TestKeys.sender()), time: clock)
        let push = try sealer.seal(
            json: #"{"aps":{"alert":"Hello"}}"#, for: TestKeys.device().publicKey)
        return try DeliveredNotification(json: push.payload)
    }

    @Test("The deadline passes when the test advances the clock") func deadline() throws {
        let store = TestKeyStore(.hanging)
        let inbox = PushInbox(try configuration(store), clock: clock)
        let recorder = ContentHandlerRecorder()
        inbox.handle(try notification(), handler: recorder.handler)
        clock.advance(by: 19)
        #expect(recorder.contents.isEmpty)
        // The handler runs on this thread.
        clock.advance(by: 1)
        #expect(recorder.contents.map(\.body) == ["(Encrypted)"])
        store.release()
    }

    @Test("A message expires when the test advances the clock") func expiration() throws {
        let keys = InMemoryKeyStore([try TestKeys.device()])
        let (configuration, notification) = (try configuration(keys), try notification())
        for (seconds, body) in [(0.0, "Hello"), (30 * 24 * 3600, "(Encrypted)")] {
            clock.advance(by: seconds)
            let recorder = ContentHandlerRecorder()
            PushInbox(configuration, clock: clock).handle(notification, handler: recorder.handler)
            #expect(recorder.wait()?.body == body)
        }
    }
}
