import Foundation
import PushCryptCore
import PushCryptPayload
import Testing

/// Tests of decoding errors, which never quote the payload.
@Suite struct PayloadDecodingErrorTests {
    @Test(
        "A value that is not a dictionary does not decode",
        arguments: ["[]", "1", #""text""#, "true", "null"])
    func aValueThatIsNotADictionaryDoesNotDecode(text: String) {
        #expect(throws: PushCryptError.self) {
            try JSONDecoder().decode(Payload.self, from: Data(text.utf8))
        }
        #expect(throws: PushCryptError.self) {
            try JSONDecoder().decode([String: Payload].self, from: Data(#"{"p":\#(text)}"#.utf8))
        }
    }
}
