/// What a text holds that nobody should leave readable in a push, whose text passes through many hands.
///
/// These are guesses, for warnings. A false alarm teaches people to ignore warnings, so where a text could well be
/// something harmless, such as a plain number, nothing is reported. All of it takes time in proportion to the text.
package enum SensitiveText: String, Sendable, CaseIterable {
    /// The number of a payment card.
    case cardNumber = "card-number"
    /// An international bank account number.
    case iban = "iban"
    /// An e-mail address.
    case emailAddress = "email-address"
    /// A code that somebody logs in or confirms something with.
    case oneTimeCode = "one-time-code"
    /// A telephone number.
    case phoneNumber = "phone-number"
    /// More text than a placeholder needs, so probably the message itself.
    case longText = "long-text"

    /// What a text holds: in the order of the cases, each once.
    package static func kinds(in text: String) -> [SensitiveText] {
        let text = ScannedText(text)
        // The digits of one thing are not those of another: what is the surest claims its digits first.
        var claimed = ClaimedCharacters(of: text)
        var found: Set<SensitiveText> = []
        for (kind, detect) in [
            (SensitiveText.iban, IBAN.ranges), (.cardNumber, CardNumber.ranges), (.phoneNumber, PhoneNumber.ranges),
            (.oneTimeCode, OneTimeCode.ranges),
        ] {
            let ranges = detect(text, claimed)
            if !ranges.isEmpty { found.insert(kind) }
            claimed.claim(ranges)
        }
        if EmailAddress.isPresent(in: text) { found.insert(.emailAddress) }
        if LongText.isPresent(in: text) { found.insert(.longText) }
        return allCases.filter(found.contains)
    }
}
