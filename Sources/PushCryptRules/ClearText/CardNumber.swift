/// Numbers of payment cards: 12 to 19 digits of a known network, in one piece or in groups, whose check digit is right.
enum CardNumber {
    static func ranges(in text: ScannedText, except claimed: ClaimedCharacters) -> [Range<Int>] {
        text.digitGroups.indices.compactMap { range(in: text, from: $0) }.filter { !claimed.overlap($0) }
    }

    /// The card number that begins with a group of digits.
    private static func range(in text: ScannedText, from first: Int) -> Range<Int>? {
        let groups = text.digitGroups
        guard startsCleanly(text, at: groups[first].lowerBound) else { return nil }
        var counts: [Int] = []
        var digits: [Int] = []
        for last in first..<groups.count {
            counts.append(groups[last].count)
            guard digits.count + groups[last].count <= 19 else { return nil }
            digits += groups[last].map { text.digit($0) }
            if isLikely(counts, text, first, last), isCard(digits), endsCleanly(text, at: groups[last].upperBound) {
                return groups[first].lowerBound..<groups[last].upperBound
            }
            guard separator(text, behind: last) != nil else { return nil }
        }
        return nil
    }

    /// Whether digits grouped in this way may be a card number, with these other numbers around it.
    private static func isLikely(_ counts: [Int], _ text: ScannedText, _ first: Int, _ last: Int) -> Bool {
        let before = separator(text, behind: first - 1)
        let after = separator(text, behind: last)
        if counts.count == 1 {
            return before != "-" && after != "-"
        }
        // All there is, however it is grouped; but not a list of small numbers.
        if before == nil, after == nil { return counts.dropLast().allSatisfy { $0 > 1 } }
        // A part of it, as it is printed on cards. More groups of that size would make it something longer, while a
        // few digits may be the date or the security code.
        guard before == nil || text.digitGroups[first - 1].count < 4,
            after == nil || text.digitGroups[last + 1].count < 4
        else { return false }
        return shapes.contains(counts)
            || counts.count > 2 && counts.dropLast().allSatisfy { $0 == 4 } && counts[counts.count - 1] <= 4
    }

    /// How some cards are printed that do not have groups of four: Amex, Diners Club, UnionPay, Maestro.
    private static let shapes: Set<[Int]> = [[4, 6, 5], [4, 6, 4], [6, 13], [4, 4, 5], [8, 8]]

    /// The separator between a group of digits and the next one, if a card number may go on there.
    private static func separator(_ text: ScannedText, behind group: Int) -> Unicode.Scalar? {
        let groups = text.digitGroups
        guard groups.indices.contains(group), groups.indices.contains(group + 1),
            groups[group].upperBound + 1 == groups[group + 1].lowerBound,
            let scalar = text.scalar(groups[group].upperBound), scalar == " " || scalar == "-"
        else { return nil }
        return scalar
    }

    private static func startsCleanly(_ text: ScannedText, at start: Int) -> Bool {
        guard let before = text.scalar(start - 1) else { return true }
        // With a plus it is a telephone number, and digits behind a point are a fraction.
        return !text.isInWord(start - 1) && before != "+"
            && !((before == "." || before == ",") && text.isDigit(start - 2))
    }

    private static func endsCleanly(_ text: ScannedText, at end: Int) -> Bool {
        guard let after = text.scalar(end) else { return true }
        return !text.isInWord(end) && !((after == "." || after == ",") && text.isDigit(end + 1))
    }

    private static func isCard(_ digits: [Int]) -> Bool {
        guard digits.count >= 12, Set(digits).count > 1 else { return false }
        let prefix = digits[..<6].reduce(0) { $0 * 10 + $1 }
        return CardNetwork.all.contains { $0.lengths.contains(digits.count) && $0.holds(prefix) }
            && checksum(digits) % 10 == 0
    }

    /// The sum of Luhn's formula (ISO/IEC 7812-1): every second digit from the right counts twice.
    private static func checksum(_ digits: [Int]) -> Int {
        digits.reversed().enumerated().reduce(0) { sum, item in
            let value = item.offset.isMultiple(of: 2) ? item.element : item.element * 2
            return sum + (value > 9 ? value - 9 : value)
        }
    }
}
