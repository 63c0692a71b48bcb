import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("IBANs") struct IBANTests {
    @Test(
        "An IBAN has 15 to 34 characters",
        arguments: ["NO9386011117947", "DE89370400440532013000", "MT84MALT011000012345MTLCAST001S"])
    func lengths(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.iban])
    }

    @Test(
        "Groups of four characters may be separated",
        arguments: [
            "DE89 3704 0044 0532 0130 00", "GB29-NWBK-6016-1331-9268-19",
            "de89 3704 0044 0532 0130 00",
        ])
    func groups(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.iban])
    }

    @Test(
        "Other strings aren't IBANs",
        arguments: [
            "DE88370400440532013000", "DE8937040044053201300", "DE 89370400440532013000",
            "D189370400440532013000", "DE89 37 04 0044 0532 0130 00", "XDE89370400440532013000",
            "DE89370400440532013000X", "DE89",
        ])
    func others(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [])
    }
}
