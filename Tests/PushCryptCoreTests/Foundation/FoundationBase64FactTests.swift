import Foundation
import PushCryptCore
import TestSupport
import Testing

/// What Foundation's base64 accepts, which is why envelopes are read by a decoder of our own.
@Suite struct FoundationBase64FactTests {
    @Test(arguments: [
        ("QR==", "A"), ("Qf==", "A"), ("QUJ=", "AB"), ("QUK=", "AB"), ("QQ===", "A"), ("QQ====", "A"), ("QUI==", "AB"),
        ("QUJD=", "ABC"), ("QUJD====", "ABC"),
    ])
    func acceptsMoreThanOneSpelling(_ text: String, _ meaning: String) {
        #expect(Data(base64Encoded: text) == Data(meaning.utf8))
        let padded = Array(text.utf8)
        #expect(errorCode { try Base64URL.decode(padded.span) } == .malformedBase64)
    }

    @Test(arguments: ["QR", "Qf", "QUJ", "QUK"])
    func ourDecoderRefusesTheTrailingBitsThemselves(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(errorCode { try Base64URL.decode(bytes.span) } == .malformedBase64)
    }
}
