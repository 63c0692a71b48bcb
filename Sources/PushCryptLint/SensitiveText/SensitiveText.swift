/// Sensitive text in the readable part of a push.
enum SensitiveText: String, Sendable, CaseIterable {
    /// The number of a payment card: 13 to 19 digits with a valid check digit.
    case cardNumber = "card-number"
    /// An international bank account number with valid check digits.
    case iban = "iban"
    /// An e-mail address.
    case emailAddress = "email-address"
    /// A one-time code: 4 to 8 digits near a word such as "code" or "PIN".
    case oneTimeCode = "one-time-code"
    /// A telephone number in international form.
    case phoneNumber = "phone-number"
    /// More words than a placeholder needs.
    case longText = "long-text"

    /// Returns the kinds of sensitive text in a string, each once, in the order of the cases.
    static func kinds(in string: String) -> [SensitiveText] {
        var text = FoldedText(string)
        var found: Set<SensitiveText> = []
        if LongText.isLong(text) {
            found.insert(.longText)
        }
        if EmailAddress.isFound(in: text) {
            found.insert(.emailAddress)
        }
        for detector in numberDetectors {
            for range in detector.ranges(in: text) {
                found.insert(detector.kind)
                // Digits count once, so no later detector may find them.
                text.erase(range)
            }
        }
        return allCases.filter(found.contains)
    }

    /// The detectors of numbers, with the strictest checks first.
    private static let numberDetectors: [any NumberDetector.Type] = [
        IBAN.self, CardNumber.self, PhoneNumber.self, OneTimeCode.self,
    ]
}

/// Finds numbers of one kind.
protocol NumberDetector: SendableMetatype {
    /// The kind of the numbers.
    static var kind: SensitiveText { get }

    /// Returns the characters of each number, in ascending order.
    static func ranges(in text: FoldedText) -> [Range<Int>]
}
