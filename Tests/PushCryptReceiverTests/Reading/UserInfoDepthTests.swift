import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// A push may be as deep as JSON allows: 512 levels are what the system's own reader takes, and they fit into 4096 bytes.
@Suite struct UserInfoDepthTests {
    @Test func aDeepDictionaryEndsInAnErrorAndNotInACrash() async {
        await #expect(processExitsWith: .success) {
            let code = try onSmallStack {
                thrownError {
                    var value: Any = 1
                    for _ in 0..<512 { value = ["a": value] }
                    return try PayloadReader(
                        userInfo: ["k": value], opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
                        unsealed: .allow)
                }?.code
            }
            #expect(code != nil)
        }
    }
}
