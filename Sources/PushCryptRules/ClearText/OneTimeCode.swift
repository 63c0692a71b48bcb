/// Codes that somebody logs in or confirms something with: 4 to 8 digits near a word that says so.
///
/// A number alone is nothing, and neither is one that the word in front of it names (`order 12345`), one that is counted
/// (`1500 points`), or one near a word that only looks like the right one (`postal code 75001`). A year must follow the
/// word, or `is` and the like: `Your code is 2026`.
enum OneTimeCode {
    static func ranges(in text: ScannedText, except claimed: ClaimedCharacters) -> [Range<Int>] {
        let words = CodeWords(in: text)
        var found: [Range<Int>] = []
        var first = 0
        while first < words.tokens.count {
            let run = words.run(from: first, in: text)
            if let range = words.code(run, in: text), !claimed.overlap(range) { found.append(range) }
            first = max(run.upperBound, first + 1)
        }
        return found
    }
}

extension CodeWords {
    /// How many words there may be between the number and the word that says what it is.
    private static let reach = 12

    /// The place of a one-time code, if some numbers are one.
    fileprivate func code(_ run: Range<Int>, in text: ScannedText) -> Range<Int>? {
        let counts = run.map { tokens[$0].range.count }
        let isYear = run.allSatisfy { Self.isYear(tokens[$0].range, in: text) }
        let range =
            run.isEmpty ? 0..<0 : tokens[run.lowerBound].range.lowerBound..<tokens[run.upperBound - 1].range.upperBound
        switch counts {
        case [3, 3]: break
        case [4, 4] where !isYear: break
        case _ where counts.count == 1 && (4...8).contains(counts[0]): break
        default: return nil
        }
        guard mayStart(run.lowerBound, in: text), mayEnd(run.upperBound - 1, in: text), !isNamed(run.lowerBound),
            !isCounted(run.upperBound - 1)
        else { return nil }
        return (isYear ? isCodeRatherThanYear(run, in: text) : isNearCue(run)) ? range : nil
    }

    private static func isYear(_ digits: Range<Int>, in text: ScannedText) -> Bool {
        digits.count == 4 && (1900...2099).contains(text.number(digits))
    }

    // MARK: Around the number

    private func mayStart(_ token: Int, in text: ScannedText) -> Bool {
        let start = tokens[token].range.lowerBound
        guard let before = text.scalar(start - 1) else { return true }
        switch before {
        // As in `G-123456`, and `login-code-123456` for an identifier.
        case "-", "_":
            guard text.isInWord(start - 2) else { return text.kind(start - 2) != nil }
            return has(token - 1, .cue) || roles(token - 1) != nil && tokens[token - 1].range.count <= 2
        case "#": return has(token - 1, .cue) || has(token - 1, .link)
        case ".", ",", ":": return !text.isDigit(start - 2)
        case "/": return text.kind(start - 2) == .space
        case "*": return text.scalar(tokens[token].range.upperBound) == "*"
        case "@", "+", "•", "…": return false
        case " ": return !isCurrency(text.scalar(start - 2))
        default: return !isCurrency(before)
        }
    }

    private func mayEnd(_ token: Int, in text: ScannedText) -> Bool {
        let end = tokens[token].range.upperBound
        guard let after = text.scalar(end) else { return true }
        switch after {
        case "-", "_", "/": return !text.isInWord(end + 1)
        case ".", ",", ":": return !text.isDigit(end + 1)
        case "@", "%", "°": return false
        case " ": return !isCurrency(text.scalar(end + 1)) && text.scalar(end + 1) != "%"
        default: return !isCurrency(after)
        }
    }

    private func isCurrency(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.generalCategory == .currencySymbol
    }

    /// Whether the words in front of it say that it is the number of something else: `order no. 12345`.
    private func isNamed(_ token: Int) -> Bool {
        var place = token - 1
        // The point of an abbreviation is no end.
        if isSentenceEnd(place), has(place - 1, .link) { place -= 1 }
        for _ in 0..<3 where has(place, .link) && !has(place, .cue) && !has(place, .naming) { place -= 1 }
        return has(place, .naming) && !has(place, .cue)
    }

    /// Whether the word behind it says what there are so many of.
    private func isCounted(_ token: Int) -> Bool {
        has(token + 1, .unit)
    }

    // MARK: The word that says it

    private func isNearCue(_ run: Range<Int>) -> Bool {
        let (before, after) = (run.lowerBound - 1, run.upperBound)
        if hasCue(from: before, step: -1) || hasCue(from: after, step: 1) { return true }
        // `Here is your code. 123456`
        let isAlone = (before < 0 || isSentenceEnd(before)) && (after >= tokens.count || isSentenceEnd(after))
        return isAlone && (hasCue(from: before - 1, step: -1) || hasCue(from: after + 1, step: 1))
    }

    private func isCodeRatherThanYear(_ run: Range<Int>, in text: ScannedText) -> Bool {
        let (before, after) = (run.lowerBound - 1, run.upperBound)
        var sign = tokens[run.lowerBound].range.lowerBound - 1
        if text.kind(sign) == .space { sign -= 1 }
        let isSaid = text.scalar(sign) == ":" || text.scalar(sign) == "=" || has(before, .says) || isCue(before)
        return isSaid && hasCue(from: before, step: -1) || has(after, .says) && hasCue(from: after, step: 1)
    }

    /// Whether a word that says it is near, in the same sentence.
    private func hasCue(from start: Int, step: Int) -> Bool {
        var place = start
        var isBeside = true
        for _ in 0..<Self.reach {
            guard let roles = roles(place) else { return false }
            if isCue(place), isBeside || !roles.contains(.onlyBeside) { return true }
            isBeside = isBeside && roles.contains(.link)
            place += step
        }
        return false
    }

    /// Whether a word says it, and the words beside it do not make something else of it: `promo code`, `código postal`.
    private func isCue(_ place: Int) -> Bool {
        guard has(place, .cue), !has(place - 1, .spoilsNext) else { return false }
        return !has(place + 1, .spoilsPrevious) && !(has(place + 1, .of) && has(place + 2, .spoilsPrevious))
    }
}
