/// Telephone numbers: international ones with `+` or `00`, national ones with a leading 0 or an area code in parentheses,
/// and those of North America.
///
/// National ones must be written in groups: a plain run of digits is more often an order's number.
enum PhoneNumber {
    static func ranges(in text: ScannedText, except claimed: ClaimedCharacters) -> [Range<Int>] {
        let groups = text.digitGroups
        var found: [Range<Int>] = []
        var group = 0
        while group < groups.count {
            let digits = PhoneDigits(in: text, from: group)
            if let last = lastGroup(of: digits),
                case let range = groups[group].lowerBound..<groups[last].upperBound, !claimed.overlap(range)
            {
                found.append(range)
                group = last
            }
            group += 1
        }
        return found
    }

    /// The last group of digits of the telephone number that begins with some digits.
    private static func lastGroup(of digits: PhoneDigits) -> Int? {
        switch digits.opening {
        case .none: nil
        case .plus: international(digits)
        case .plain: doubleZero(digits) ?? national(digits) ?? northAmerican(digits)
        case .parenthesis: national(digits)
        }
    }

    // MARK: International

    // `+49 30 123456`
    private static func international(_ digits: PhoneDigits) -> Int? {
        guard digits.value(0) != 0 else { return nil }
        var last: Int?
        for boundary in digits.boundaries where digits.mayEnd(behind: boundary) {
            let count = digits.countWithoutTrunk(through: boundary)
            // What looks like a number with separators for thousands must be long to be a telephone number.
            guard isInternational(count, digits.value(0)), count >= 10 || !digits.areThousands(through: boundary)
            else { continue }
            last = boundary
        }
        return last.map { digits.first + $0 }
    }

    /// `0049 30 123456`, and without spaces where it is too long for most of what is filled up with zeros.
    private static func doubleZero(_ digits: PhoneDigits) -> Int? {
        guard digits.starts(with: [0, 0]), let last = digits.boundaries.last, digits.isWhole,
            digits.mayEnd(behind: last)
        else { return nil }
        // The country's code begins in the same group or in the next one.
        let opening: Int
        if digits.counts[0] > 2 {
            opening = digits.value(2)
        } else if last > 0, digits.separators[1] != .dot {
            opening = digits.value(inGroup: 1, 0)
        } else {
            return nil
        }
        guard opening != 0 else { return nil }
        let count = digits.countWithoutTrunk(through: last) - 2
        return isInternational(count, opening) && (last > 0 || count >= 10) ? digits.first + last : nil
    }

    /// Whether there are so many numbers in a country; in those of +1 and +7 they all have 11 digits.
    private static func isInternational(_ count: Int, _ firstDigit: Int) -> Bool {
        firstDigit == 1 || firstDigit == 7 ? count == 11 : (8...15).contains(count)
    }

    // MARK: National

    // `030 123456`, `(030) 123456`, `(415) 555-2671`, `0 (532) 123 45 67`
    private static func national(_ digits: PhoneDigits) -> Int? {
        guard isArea(digits) else { return nil }
        let pairs = digits.counts.prefix { $0 == 2 }.count
        // Many pairs are the numbers of a lottery; French telephone numbers have five.
        guard pairs < 4 || pairs == 5 else { return nil }
        var last: Int?
        for boundary in digits.boundaries where boundary > 0 {
            let (count, separator) = (digits.counts[boundary], digits.separators[boundary])
            // Only an area code has a wide separator behind it, and only an extension is one digit.
            guard boundary == 1 || separator != .wide, count > 1 || separator == .hyphen else { break }
            if (9...13).contains(digits.count(through: boundary)), digits.mayEnd(behind: boundary) { last = boundary }
        }
        return last.map { digits.first + $0 }
    }

    /// Whether the first digits are an area code, or a zero and then one.
    private static func isArea(_ digits: PhoneDigits) -> Bool {
        let count = digits.counts[0]
        switch (digits.opening, digits.value(0)) {
        case (.parenthesis, _):
            return (2...5).contains(count) && !digits.starts(with: [0, 0]) && !digits.isYear
        case (_, 0) where count == 1:
            return digits.counts.count > 2 && digits.value(inGroup: 1, 0) != 0
                && (digits.separators[1] == .space || digits.separators[1] == .parenthesis)
        case (_, 0):
            return count <= 6 && digits.value(1) != 0
        default:
            return false
        }
    }

    /// `415-555-2671`, `1.415.555.2671`: neither part begins with 0 or 1.
    private static func northAmerican(_ digits: PhoneDigits) -> Int? {
        let lead = digits.counts[0] == 1 && digits.value(0) == 1 ? 1 : 0
        guard digits.counts.count >= lead + 3, Array(digits.counts[lead..<(lead + 3)]) == [3, 3, 4],
            digits.value(inGroup: lead, 0) > 1, digits.value(inGroup: lead + 1, 0) > 1,
            case let separator = digits.separators[lead + 1], separator == .hyphen || separator == .dot,
            digits.separators[lead + 2] == separator, digits.mayEnd(behind: lead + 2)
        else { return nil }
        return digits.first + lead + 2
    }
}
