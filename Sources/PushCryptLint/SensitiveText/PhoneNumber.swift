/// Detects telephone numbers in international form (ITU-T E.164).
enum PhoneNumber: NumberDetector {
    static let kind = SensitiveText.phoneNumber

    private static let lengths = 9...15
    /// The numbers of North America (+1), and Russia and Kazakhstan (+7), always have 11 digits.
    private static let fixedLengthCodes = [1, 7]
    private static let fixedLengths = 11...11
    private static let maximumSeparators = 2

    static func ranges(in text: FoldedText) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for start in text.scalars.indices
        where text.scalars[start] == "+" && !text.isWord(start - 1) {
            if let end = end(from: start, in: text) {
                ranges.append(start..<end)
            }
        }
        return ranges
    }

    /// Returns the index after the number whose plus sign is at an index, or `nil` if no number
    /// begins there.
    private static func end(from start: Int, in text: FoldedText) -> Int? {
        guard text.isDigit(start + 1), text.value(start + 1) != 0 else { return nil }
        let hasFixedLength = fixedLengthCodes.contains(text.value(start + 1))
        let expected = hasFixedLength ? fixedLengths : lengths
        var count = 0
        var position = start + 1
        while count <= lengths.upperBound, text.isDigit(position) {
            while text.isDigit(position) {
                count += 1
                position += 1
            }
            if expected.contains(count), !text.isWord(position) {
                return position
            }
            position += separatorCount(at: position, in: text)
        }
        return nil
    }

    /// Returns the number of separators from an index on, at most two, as in `) 555`.
    private static func separatorCount(at start: Int, in text: FoldedText) -> Int {
        let separators = " -./()".unicodeScalars
        return text.scalars[start...].prefix(maximumSeparators).prefix(while: separators.contains)
            .count
    }
}
