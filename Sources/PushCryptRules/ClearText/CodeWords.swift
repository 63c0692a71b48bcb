/// A text as words, numbers and ends of sentences, each word with what it does to a number near it.
struct CodeWords {
    /// What a word does.
    struct Roles: OptionSet, Sendable {
        let rawValue: Int
        /// It says that a number near it is a code.
        static let cue = Roles(rawValue: 1)
        /// It is a cue only with nothing but links between, because it is also another word.
        static let onlyBeside = Roles(rawValue: 2)
        /// It may stand between a word and its number.
        static let link = Roles(rawValue: 4)
        /// It equates what is beside it: `is`.
        static let says = Roles(rawValue: 8)
        /// It names the number that follows.
        static let naming = Roles(rawValue: 16)
        /// There are as many of it as the number in front says.
        static let unit = Roles(rawValue: 32)
        /// With it in front, the next word is no cue.
        static let spoilsNext = Roles(rawValue: 64)
        /// With it behind, the previous word is no cue.
        static let spoilsPrevious = Roles(rawValue: 128)
        /// It may stand between a cue and what spoils it.
        static let of = Roles(rawValue: 256)
    }

    /// A part of the text.
    enum Token {
        case word(Range<Int>, Roles)
        case number(Range<Int>)
        case sentenceEnd(Int)

        /// Where it is; an end is no longer than nothing.
        var range: Range<Int> {
            switch self {
            case .word(let range, _), .number(let range): range
            case .sentenceEnd(let place): place..<place
            }
        }
    }

    private(set) var tokens: [Token] = []

    init(in text: ScannedText) {
        var position = 0
        var previous = ""
        while position < text.count {
            let kind = text.kinds[position]
            if kind == .digit || kind == .letter {
                position = addWord(of: text, from: position, after: &previous)
            } else if kind.standsBesideDigits {
                position = addUnspaced(of: text, from: position)
            } else {
                if isEnd(text, position), !isSentenceEnd(tokens.count - 1) { tokens.append(.sentenceEnd(position)) }
                position += 1
            }
        }
    }

    // MARK: Tokens

    /// What a word does; `nil` where no word and no number is.
    func roles(_ place: Int) -> Roles? {
        guard tokens.indices.contains(place) else { return nil }
        switch tokens[place] {
        case .word(_, let roles): return roles
        case .number: return []
        case .sentenceEnd: return nil
        }
    }

    /// Whether a word does something.
    func has(_ place: Int, _ role: Roles) -> Bool {
        roles(place)?.contains(role) == true
    }

    /// Whether a sentence ends at a place.
    func isSentenceEnd(_ place: Int) -> Bool {
        guard tokens.indices.contains(place), case .sentenceEnd = tokens[place] else { return false }
        return true
    }

    /// The numbers from a place on that have nothing but one space or hyphen between them.
    func run(from first: Int, in text: ScannedText) -> Range<Int> {
        var end = first
        while end < tokens.count, case .number(let range) = tokens[end] {
            if end > first {
                let gap = tokens[end - 1].range.upperBound..<range.lowerBound
                guard gap.count == 1, text.scalars[gap.lowerBound] == " " || text.scalars[gap.lowerBound] == "-" else {
                    break
                }
            }
            end += 1
        }
        return first..<end
    }

    // MARK: Reading

    /// Adds the word or number that begins at a place; returns where it ends.
    private mutating func addWord(of text: ScannedText, from start: Int, after previous: inout String) -> Int {
        var end = start
        while text.isInWord(end) { end += 1 }
        let range = start..<end
        if text.kinds[range].allSatisfy({ $0 == .digit }) {
            tokens.append(.number(range))
            previous = ""
            return end
        }
        // No word of the lists is as long as that.
        var spelling = ""
        if range.count <= 32 { spelling.unicodeScalars += text.scalars[range] }
        let word = CodeWordList.folded(spelling)
        var roles = CodeWordList.words[word] ?? []
        roles.formUnion(CodeWordList.words[previous + " " + word] ?? [])
        if roles.contains(.onlyBeside), spelling == spelling.uppercased() { roles.remove(.onlyBeside) }
        tokens.append(.word(range, roles))
        previous = word
        return end
    }

    /// Adds a known word of a script without spaces, or three letters in front of the next one; returns where they end.
    private mutating func addUnspaced(of text: ScannedText, from start: Int) -> Int {
        if let (end, roles) = CodeWordList.phrase(in: text, at: start) {
            tokens.append(.word(start..<end, roles))
            return end
        }
        var end = start + 1
        while end < start + 3, text.kind(end)?.standsBesideDigits == true,
            CodeWordList.phrase(in: text, at: end) == nil
        {
            end += 1
        }
        tokens.append(.word(start..<end, []))
        return end
    }

    private func isEnd(_ text: ScannedText, _ place: Int) -> Bool {
        switch text.scalars[place] {
        case "!", "?", "。", "｡", "؟", "।": return true
        case "\n": return text.scalar(place + 1) == "\n"
        case ".":
            guard let next = text.kind(place + 1) else { return true }
            return next == .space || next == .lineBreak || next.standsBesideDigits
        default: return false
        }
    }
}
