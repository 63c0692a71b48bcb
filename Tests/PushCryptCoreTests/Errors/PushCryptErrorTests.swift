import PushCryptCore
import Testing

@Suite struct PushCryptErrorTests {
    @Test("Errors with the same code are equal") func equalsByItsCodeAlone() {
        let error = PushCryptError(.unknownKey, "One wording.")
        let other = PushCryptError(.unknownKey, "Another wording.")
        #expect(error == other)
        #expect(error != PushCryptError(.decryptionFailed, "One wording."))
    }

    @Test("A description contains the code and the reason") func saysItsCodeAndReason() {
        let error = PushCryptError(.unknownKey, "No such key.")
        #expect(error.code == .unknownKey)
        #expect(error.reason == "No such key.")
        #expect("\(error)" == "unknown-key: No such key.")
    }
}
