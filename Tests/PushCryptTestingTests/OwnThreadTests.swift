import Dispatch
import TestSupport
import Testing

@Suite(.ownThread) struct OwnThreadTests {
    @Test("Tests that block don't keep tasks from running", arguments: 1...20) func blocking(
        number: Int
    ) {
        let done = DispatchSemaphore(value: 0)
        Task { done.signal() }
        #expect(done.wait(timeout: .now() + 600) == .success)
    }
}
