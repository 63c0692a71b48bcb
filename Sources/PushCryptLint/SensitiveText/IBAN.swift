/// Detects international bank account numbers (ISO 13616).
enum IBAN: NumberDetector {
    static let kind = SensitiveText.iban

    /// An IBAN has a country, two check digits and an account number.
    private static let lengths = 15...34
    private static let headLength = 4
    /// The characters of each printed group; a space or a hyphen may follow.
    private static let groupLength = 4

    static func ranges(in text: FoldedText) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for start in text.scalars.indices {
            let hasCheckDigits = text.isDigit(start + 2) && text.isDigit(start + 3)
            guard hasCheckDigits, !text.isWord(start - 1), let end = end(from: start, in: text)
            else { continue }
            ranges.append(start..<end)
        }
        return ranges
    }

    /// Returns the index after the IBAN that begins at an index, or `nil` if none begins there.
    private static func end(from start: Int, in text: FoldedText) -> Int? {
        var values: [Int] = []
        var position = start
        while values.count < lengths.upperBound, let value = value(at: position, in: text) {
            let isCountry = values.count < 2
            if isCountry, text.isDigit(position) { return nil }
            values.append(value)
            position += 1
            if lengths.contains(values.count), !text.isWord(position), isValid(values) {
                return position
            }
            if values.count.isMultiple(of: groupLength),
                text[position] == " " || text[position] == "-"
            {
                position += 1
            }
        }
        return nil
    }

    /// Returns the value of a character: 0 to 9 for digits, 10 to 35 for letters.
    private static func value(at index: Int, in text: FoldedText) -> Int? {
        guard let scalar = text[index], scalar.isASCII, text.isWord(index) else { return nil }
        let letterA: Unicode.Scalar = "a"
        return text.isDigit(index) ? text.value(index) : Int(scalar.value - letterA.value) + 10
    }

    /// Returns a Boolean value that indicates whether the check digits are right.
    ///
    /// The values form one decimal number, with the country and the check digits moved to its end.
    /// Its remainder modulo 97 is 1.
    private static func isValid(_ values: [Int]) -> Bool {
        let account = values[headLength...]
        let head = values[..<headLength]
        var remainder = 0
        for value in account + head {
            let factor = value < 10 ? 10 : 100
            remainder = (remainder * factor + value) % 97
        }
        return remainder == 1
    }
}
