import Foundation
import PushCryptReceiver
import PushCryptTesting
import TestSupport
import Testing

/// A dictionary of 512 levels, which the system's parser accepts and which fit into 4096 bytes.
@Suite struct UserInfoDepthTests {
    @Test("A deep dictionary is an error and not a crash")
    func deepDictionaryIsAnErrorAndNotACrash() async {
        await #expect(processExitsWith: .success) {
            let code = try onSmallStack {
                thrownError {
                    var value: Any = 1
                    for _ in 0..<512 { value = ["a": value] }
                    return try PayloadReader(
                        userInfo: ["k": value],
                        opener: Opener(keys: InMemoryKeyStore([]), senderPolicy: .anyone),
                        unsealed: .allow)
                }?.code
            }
            #expect(code != nil)
        }
    }
}
