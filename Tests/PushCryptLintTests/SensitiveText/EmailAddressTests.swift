import PushCryptSender
import Testing

@testable import PushCryptLint

@Suite("E-mail addresses") struct EmailAddressTests {
    @Test(
        "Letters of all scripts may be in an address",
        arguments: [
            "jane@example.com", "o'brien+news@mail.example.org", "müller@bücher.de", "用户@例子.公司",
        ])
    func letters(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.emailAddress])
    }

    @Test(
        "An address may end a sentence",
        arguments: ["jane@example.com.", "jane@example.com...", "jane@example.com!"])
    func sentences(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [.emailAddress])
    }

    @Test(
        "Other strings aren't addresses",
        arguments: [
            "jane@example", "@example.com", "jane@.com", "jane.@example.com", "jane@example..com",
            "jane@example.c", "jane@10.0.0.1", "@jane@example.com", "icon@2x.png",
            "jane @example.com", "jane@ example.com",
        ])
    func others(_ text: String) {
        #expect(SensitiveText.kinds(in: text) == [])
    }

    @Test(
        "At most 64 characters precede the @",
        arguments: [(64, [SensitiveText.emailAddress]), (65, [])])
    func localPart(_ count: Int, _ kinds: [SensitiveText]) {
        let text = String(repeating: "a", count: count) + "@example.com"
        #expect(SensitiveText.kinds(in: text) == kinds)
    }

    @Test(
        "A domain has at most 253 characters",
        arguments: [(253, [SensitiveText.emailAddress]), (254, [])])
    func domain(_ count: Int, _ kinds: [SensitiveText]) {
        let text = "jane@" + String(repeating: "a", count: count - 4) + ".com"
        #expect(SensitiveText.kinds(in: text) == kinds)
    }
}
