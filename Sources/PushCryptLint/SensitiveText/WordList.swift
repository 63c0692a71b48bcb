/// Words to find in a string.
struct WordList {
    /// Words of up to this length match only as whole words.
    private static let shortLength = 3

    private let wordsByFirstCharacter: [Unicode.Scalar: [[Unicode.Scalar]]]

    /// Creates a list from a table of languages and their words, with a space between words.
    init(_ table: KeyValuePairs<String, String>) {
        let words = table.flatMap { $0.value.split(separator: " ") }.map {
            Array($0.unicodeScalars)
        }
        wordsByFirstCharacter = Dictionary(grouping: words) { $0[0] }
    }

    /// Marks each character that belongs to a listed word.
    func marks(in text: FoldedText) -> [Bool] {
        var marks = [Bool](repeating: false, count: text.scalars.count)
        for start in text.scalars.indices {
            for word in wordsByFirstCharacter[text.scalars[start]] ?? []
            where matches(word, at: start, in: text) {
                for index in start..<(start + word.count) {
                    marks[index] = true
                }
            }
        }
        return marks
    }

    private func matches(_ word: [Unicode.Scalar], at start: Int, in text: FoldedText) -> Bool {
        guard text.scalars[start...].starts(with: word) else { return false }
        let isWholeWord = !text.isWord(start - 1) && !text.isWord(start + word.count)
        return word.count > Self.shortLength || isWholeWord
    }
}

extension FoldedText {
    /// Returns a Boolean value that indicates whether a mark is near a range, in the same sentence.
    func hasMark(_ marks: [Bool], within reach: Int, of range: Range<Int>) -> Bool {
        let before = (1...reach).lazy.map { range.lowerBound - $0 }
        let after = (0..<reach).lazy.map { range.upperBound + $0 }
        return hasMark(marks, at: before) || hasMark(marks, at: after)
    }

    /// Returns a Boolean value that indicates whether a mark comes before the end of the sentence.
    private func hasMark(_ marks: [Bool], at indices: some Sequence<Int>) -> Bool {
        for index in indices {
            guard let scalar = self[index], !endsSentence(scalar, at: index) else { return false }
            if marks[index] { return true }
        }
        return false
    }

    private func endsSentence(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        if scalar == "." { return self[index + 1] == " " }
        return "!?。".unicodeScalars.contains(scalar)
    }
}
