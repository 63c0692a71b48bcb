/// E-mail addresses as people have them; not every one that RFC 5322 allows.
enum EmailAddress {
    static func isPresent(in text: ScannedText) -> Bool {
        text.scalars.indices.contains {
            text.scalars[$0] == "@" && hasName(text, before: $0) && hasDomain(text, behind: $0)
        }
    }

    /// The signs that names have beside letters and digits.
    ///
    /// A slash is not among them, although it may be in a name: it would make an address of every link to a profile.
    private static let signs: Set<Unicode.Scalar> = [
        ".", "_", "-", "+", "'", "!", "#", "$", "%", "&", "*", "=", "?", "^", "`", "{", "|", "}", "~",
    ]

    private static func hasName(_ text: ScannedText, before at: Int) -> Bool {
        var start = at
        while start > 0, at - start <= 64, isLetterOrDigit(text, start - 1) || signs.contains(text.scalars[start - 1]) {
            start -= 1
        }
        // `@name@server` is a handle.
        guard (1...64).contains(at - start), text.scalars[at - 1] != ".", text.scalar(start - 1) != "@" else {
            return false
        }
        return (start..<at).contains { isLetterOrDigit(text, $0) }
    }

    private static func hasDomain(_ text: ScannedText, behind at: Int) -> Bool {
        let limit = min(text.count, at + 1 + 253)
        var labels: [Range<Int>] = []
        var start = at + 1
        while let label = label(text, from: start, to: limit) {
            labels.append(label)
            guard text.scalar(label.upperBound) == "." else { break }
            start = label.upperBound + 1
        }
        guard labels.count >= 2, let last = labels.last else { return false }
        // `image@2x.png` is a file.
        let first = labels[0]
        let isScale =
            labels.count == 2 && first.count == 2 && text.isDigit(first.lowerBound)
            && text.scalars[first.lowerBound + 1] == "x"
        return !isScale && isTopLevel(text, last)
    }

    /// A part of a domain's name: letters and digits, hyphens between them.
    private static func label(_ text: ScannedText, from start: Int, to limit: Int) -> Range<Int>? {
        var end = start
        while end < limit, isLetterOrDigit(text, end) || text.scalars[end] == "-" { end += 1 }
        while end > start, text.scalars[end - 1] == "-" { end -= 1 }
        guard end > start, text.scalars[start] != "-" else { return nil }
        return start..<end
    }

    /// Whether the last part can be a top-level domain: no digits, but where it spells another script in ASCII.
    private static func isTopLevel(_ text: ScannedText, _ label: Range<Int>) -> Bool {
        let isSpelled = label.count > 4 && zip(text.scalars[label], "xn--".unicodeScalars).allSatisfy { $0 == $1 }
        return isSpelled || label.count >= 2 && label.allSatisfy { !text.isDigit($0) && text.scalars[$0] != "-" }
    }

    private static func isLetterOrDigit(_ text: ScannedText, _ index: Int) -> Bool {
        text.isInWord(index) || text.kind(index)?.standsBesideDigits == true
    }
}
