/// More text than a placeholder needs.
///
/// A placeholder says that there is something, and perhaps what to do: `Your order has shipped. Open the app to see the
/// details.` has 11 words. From 12 words on a text says what it is about. Languages with long words need fewer of them,
/// so more than 80 characters in at least 7 words are enough too; 7, because a list of a few names or links is no
/// message. In scripts without spaces 2½ Han characters, or 5 letters of kana or Thai, say as much as a word. What is in
/// one piece, however long, is a link or a token, not a text.
enum LongText {
    static func isPresent(in text: ScannedText) -> Bool {
        var words = 0
        var isInWord = false
        var unspaced = 0
        var characters = 0
        for kind in text.kinds {
            if kind != .mark { characters += 1 }
            switch kind {
            case .letter, .hangul:
                if !isInWord { words += 1 }
                isInWord = true
            case .space, .lineBreak: isInWord = false
            case .ideograph: unspaced += 2
            case .unspaced: unspaced += 1
            case .digit, .mark, .other: break
            }
        }
        return words * 5 + unspaced >= 12 * 5 || characters > 80 && words >= 7
    }
}
