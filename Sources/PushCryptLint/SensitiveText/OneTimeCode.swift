/// Detects one-time codes: numbers near a word that announces a code.
enum OneTimeCode: NumberDetector {
    static let kind = SensitiveText.oneTimeCode

    private static let lengths = 4...8
    private static let groupLengths = [[3, 3], [4, 4]]
    private static let years = 1900...2099
    /// The largest distances in characters between a number and the words about it.
    private static let codeWordReach = 32
    private static let otherWordReach = 8

    private static let codeWords = WordList(CodeWords.announcingCodes)
    private static let otherWords = WordList(CodeWords.announcingOtherNumbers)

    static func ranges(in text: FoldedText) -> [Range<Int>] {
        let codeMarks = codeWords.marks(in: text)
        let otherMarks = otherWords.marks(in: text)
        return text.numbers.filter { number in
            hasLength(number) && !isYear(number, in: text) && !isAmount(number, in: text)
                && text.hasMark(codeMarks, within: codeWordReach, of: number.range)
                && !text.hasMark(otherMarks, within: otherWordReach, of: number.range)
        }.map(\.range)
    }

    private static func hasLength(_ number: GroupedNumber) -> Bool {
        if number.groups.count == 1 {
            return lengths.contains(number.range.count)
        }
        return groupLengths.contains(number.groups.map(\.count))
    }

    private static func isYear(_ number: GroupedNumber, in text: FoldedText) -> Bool {
        guard number.range.count == 4 else { return false }
        let value = number.range.reduce(0) { $0 * 10 + text.value($1) }
        return years.contains(value)
    }

    /// Returns a Boolean value that indicates whether a currency symbol is next to a number, or one
    /// character away.
    private static func isAmount(_ number: GroupedNumber, in text: FoldedText) -> Bool {
        let start = number.range.lowerBound
        let end = number.range.upperBound
        return [start - 2, start - 1, end, end + 1].contains { index in
            text[index]?.properties.generalCategory == .currencySymbol
        }
    }
}
