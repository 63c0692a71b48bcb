import Foundation
import PushCryptCore
import PushCryptPayload
import Testing

/// What goes wrong in decoding is an error of this package, which quotes nothing.
@Suite struct PayloadDecodingErrorTests {
    @Test(arguments: ["[]", "1", #""text""#, "true", "null"])
    func whatIsNoDictionaryIsNoPayload(text: String) {
        #expect(throws: PushCryptError.self) { try JSONDecoder().decode(Payload.self, from: Data(text.utf8)) }
        #expect(throws: PushCryptError.self) {
            try JSONDecoder().decode([String: Payload].self, from: Data(#"{"p":\#(text)}"#.utf8))
        }
    }
}
