import PushCryptCore
import Testing

@testable import PushCryptReceiver

@Suite struct PresentationTests {
    @Test("Of the fallbacks, only the one of a possible copy counts as a copy") func copies() {
        #expect(Presentation.fallback(PushCryptError(.possiblyReplayed, "")).isCopy)
        for code in [PushCryptError.Code.expired, .replayed, .unknownKey] {
            #expect(!Presentation.fallback(PushCryptError(code, "")).isCopy)
        }
    }
}
