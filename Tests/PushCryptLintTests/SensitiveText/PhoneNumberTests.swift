import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("Telephone numbers") struct PhoneNumberTests {
    @Test(
        "A number has 9 to 15 digits after the plus sign",
        arguments: ["+493012345", "+49301234567", "+490123456789013"])
    func lengths(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.phoneNumber])
    }

    @Test(
        "One or two separators may be between digits",
        arguments: ["+49 30 123456", "+1 (415) 555-2671", "+49 (0)30 123456", "+33.1.23.45.67.89"])
    func separators(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.phoneNumber])
    }

    @Test(
        "Numbers after +1 and +7 have 11 digits", arguments: ["+14155552671", "+7 495 123-45-67"])
    func fixedLength(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.phoneNumber])
    }

    @Test(
        "Other numbers aren't telephone numbers",
        arguments: [
            "+4930123", "+0493012345", "+4901234567890123", "+1415555267", "+141555526711",
            "4930123456", "+ 4930123456", "1+4930123456", "+49   30123456", "+4930123456x",
        ])
    func others(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [])
    }
}
