/// Detects e-mail addresses.
enum EmailAddress {
    /// The largest number of characters before the @ (RFC 5321 §4.5.3.1.1).
    private static let maximumLocalLength = 64
    /// The largest number of characters after the @ (RFC 1035 §2.3.4, without the root).
    private static let maximumDomainLength = 253

    /// Returns a Boolean value that indicates whether a string has an e-mail address.
    static func isFound(in text: FoldedText) -> Bool {
        text.scalars.indices.contains { isAddress(at: $0, in: text) }
    }

    /// Returns a Boolean value that indicates whether the character at an index is the @ of an
    /// address.
    private static func isAddress(at sign: Int, in text: FoldedText) -> Bool {
        guard text.scalars[sign] == "@", let start = localStart(before: sign, in: text),
            let end = domainEnd(after: sign, in: text)
        else { return false }
        // `@name@server` is a handle.
        let isHandle = text[start - 1] == "@"
        guard !isHandle, text[sign - 1] != "." else { return false }
        return isDomain((sign + 1)..<end, in: text)
    }

    /// Returns the index of the first character of the part before an @, or `nil` if that part is
    /// empty or too long.
    private static func localStart(before sign: Int, in text: FoldedText) -> Int? {
        var start = sign
        while isPart(start - 1, in: text) {
            start -= 1
            guard sign - start <= maximumLocalLength else { return nil }
        }
        return start < sign ? start : nil
    }

    /// Returns the index after the last character of the domain, or `nil` if the domain is empty or
    /// too long.
    private static func domainEnd(after sign: Int, in text: FoldedText) -> Int? {
        let start = sign + 1
        var end = start
        while isPart(end, in: text) {
            end += 1
            guard end - start <= maximumDomainLength else { return nil }
        }
        // A full stop may end the sentence.
        while text[end - 1] == "." {
            end -= 1
        }
        return end > start ? end : nil
    }

    /// Returns a Boolean value that indicates whether a character may be in an address.
    private static func isPart(_ index: Int, in text: FoldedText) -> Bool {
        guard let scalar = text[index] else { return false }
        return text.isWord(index) || text.kinds[index] == .unspaced
            || "._%+-'".unicodeScalars.contains(scalar)
    }

    /// Returns a Boolean value that indicates whether a range has two or more labels and a
    /// top-level domain.
    private static func isDomain(_ range: Range<Int>, in text: FoldedText) -> Bool {
        let labels = text.scalars[range].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let topLevel = labels.last
        else { return false }
        let isNumber = topLevel.indices.allSatisfy(text.isDigit)
        // `icon@2x.png` is a file.
        let isFile =
            labels.count == 2 && labels[0].count == 2 && labels[0].last == "x"
            && text.isDigit(range.lowerBound)
        return topLevel.count > 1 && !isNumber && !isFile
    }
}
