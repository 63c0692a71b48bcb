/// Detects strings that are longer than a placeholder.
enum LongText {
    private static let longWordCount = 12
    /// A string of fewer words is long if it has many characters.
    private static let fewerWordCount = 7
    private static let longCharacterCount = 80
    /// Scripts such as Chinese have no spaces between words: 5 letters count as 2 words.
    private static let unspacedLetters = 5
    private static let wordsOfUnspacedLetters = 2

    /// Returns a Boolean value that indicates whether a string has at least 12 words, or 7 words
    /// and 80 characters.
    static func isLong(_ text: FoldedText) -> Bool {
        let words = wordCount(text)
        let unspaced = text.kinds.count { $0 == .unspaced }
        let weight = words * unspacedLetters + unspaced * wordsOfUnspacedLetters
        if weight >= longWordCount * unspacedLetters {
            return true
        }
        return words >= fewerWordCount && text.kinds.count > longCharacterCount
    }

    /// Returns the number of words.
    ///
    /// Only white space ends a word, so a link or a token is one.
    private static func wordCount(_ text: FoldedText) -> Int {
        var count = 0
        var isInWord = false
        for index in text.kinds.indices {
            if text.kinds[index] == .letter {
                if !isInWord { count += 1 }
                isInWord = true
            } else if text.scalars[index].properties.isWhitespace {
                isInWord = false
            }
        }
        return count
    }
}
