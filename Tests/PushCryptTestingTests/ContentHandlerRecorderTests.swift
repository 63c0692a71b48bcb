import PushCryptTesting
import Testing

@Suite struct ContentHandlerRecorderTests {
    @Test("Each call is recorded") func eachCallIsRecorded() {
        let recorder = ContentHandlerRecorder()
        #expect(recorder.wait(seconds: 0.01) == nil)
        recorder.handler(NotificationContent(body: "a"))
        recorder.handler(NotificationContent(body: "b"))
        #expect(recorder.contents.map(\.body) == ["a", "b"])
        #expect(recorder.wait()?.body == "b")
    }
}
