import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("Card numbers") struct CardNumberTests {
    @Test(
        "A card number has 13 to 19 digits",
        arguments: ["4222222222222", "378282246310005", "4111111111111111", "4000000000000000006"])
    func lengths(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.cardNumber])
    }

    @Test(
        "Spaces and hyphens separate groups",
        arguments: [
            "4111 1111 1111 1111", "4111-1111-1111-1111", "3782 822463 10005",
            "6205 5000 0000 0000 004",
        ])
    func groups(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.cardNumber])
    }

    @Test(
        "Other numbers may follow",
        arguments: ["4111 1111 1111 1111 12 27", "4111 1111 1111 1111 123", "4222222222222 12 12"])
    func numbersAfter(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.cardNumber])
    }

    @Test(
        "Other numbers aren't card numbers",
        arguments: [
            "4111111111111112", "9111111111111111", "0000000000000000", "2222222222222222",
            "411111111111", "40000000000000000002", "4111 11 1111 111111", "4111  1111 1111 1111",
            "x4111111111111111", "4111111111111111.5", "1:4111111111111111",
        ])
    func others(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [])
    }
}
