/// Detects the numbers of payment cards (ISO/IEC 7812-1).
enum CardNumber: NumberDetector {
    static let kind = SensitiveText.cardNumber

    private static let lengths = 13...19
    private static let firstDigits = 2...6
    private static let maximumGroups = 6
    /// Only the last group of a card number may be shorter.
    private static let longGroup = 4
    /// The number of groups that can belong to a card and to the numbers after it.
    private static let searchedGroups = 20

    static func ranges(in text: FoldedText) -> [Range<Int>] {
        text.numbers.compactMap { number in
            candidates(number).first { isCard($0, in: text) }?.range
        }
    }

    /// Returns the beginnings of a number that may be a card number, in order of preference.
    ///
    /// A date or a security code with short groups may follow the card number. So the last group is
    /// the last one of all, the first short one, or the last long one.
    private static func candidates(_ number: GroupedNumber) -> [GroupedNumber] {
        let groups = number.groups
        guard
            let lastLongGroup = groups.prefix(searchedGroups).lastIndex(where: {
                $0.count >= longGroup
            })
        else {
            return []
        }
        let longGroups = lastLongGroup + 1
        return [groups.count, longGroups + 1, longGroups]
            .filter { $0 <= groups.count && $0 <= maximumGroups }
            .map(number.prefix)
            .filter { $0.groups.dropLast().allSatisfy { $0.count >= longGroup } }
    }

    /// Returns a Boolean value that indicates whether a number has a card's length, first digit and
    /// check digit.
    private static func isCard(_ number: GroupedNumber, in text: FoldedText) -> Bool {
        let digits = number.groups.joined().map(text.value)
        guard lengths.contains(digits.count), firstDigits.contains(digits[0]) else { return false }
        let isRepeatedDigit = Set(digits).count == 1
        return !isRepeatedDigit && luhnSum(digits).isMultiple(of: 10)
    }

    /// Returns the sum of Luhn's formula: every second digit from the end is doubled, and 10 to 18
    /// count as two digits.
    private static func luhnSum(_ digits: [Int]) -> Int {
        var sum = 0
        for (position, digit) in digits.reversed().enumerated() {
            let value = position.isMultiple(of: 2) ? digit : digit * 2
            sum += value / 10 + value % 10
        }
        return sum
    }
}
