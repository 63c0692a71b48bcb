import Foundation
import PushCryptCore
import TestSupport
import Testing

/// The encodings that Foundation's base64 accepts, because of which this package decodes envelopes
/// itself.
@Suite struct FoundationBase64FactTests {
    @Test(
        "Foundation accepts several encodings of the same bytes",
        arguments: [
            ("QR==", "A"), ("Qf==", "A"), ("QUJ=", "AB"), ("QUK=", "AB"), ("QQ===", "A"),
            ("QQ====", "A"),
            ("QUI==", "AB"),
            ("QUJD=", "ABC"), ("QUJD====", "ABC"),
        ])
    func acceptsMoreThanOneSpelling(_ text: String, _ meaning: String) {
        #expect(Data(base64Encoded: text) == Data(meaning.utf8))
        let padded = Array(text.utf8)
        #expect(errorCode { try Base64URL.decode(padded.span) } == .malformedBase64)
    }

    @Test(
        "The decoder of this package rejects surplus bits", arguments: ["QR", "Qf", "QUJ", "QUK"])
    func ourDecoderRefusesTheTrailingBitsThemselves(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(errorCode { try Base64URL.decode(bytes.span) } == .malformedBase64)
    }
}
