internal import PushCryptCore

/// How long the messages of one payload become, where they share the room that APNs leaves.
struct PaddedLengths {
    /// The first message's length.
    let first: Int
    /// The second's, where there are two.
    let second: Int?

    /// Divides the room; `nil` where there is not enough of it.
    ///
    /// - Parameters:
    ///   - first: what the first message needs.
    ///   - second: what the second needs.
    ///   - room: how many characters of base64url there are for both.
    ///   - padding: how lengths are hidden.
    init?(_ first: Int, _ second: Int?, room: Int, _ padding: Padding) {
        guard let second else {
            let limit = Self.capacity(room)
            guard first <= limit else { return nil }
            self.first = padding.paddedLength(first, limit: limit)
            self.second = nil
            return
        }
        // Half of the room each, so that neither length says anything about the other.
        let half = Self.capacity(room / 2)
        if max(first, second) <= half {
            self.first = padding.paddedLength(first, limit: half)
            self.second = padding.paddedLength(second, limit: half)
            return
        }
        // One needs more than half: the other is padded as far as that one lets it, and that one takes the rest.
        let (small, large) = (min(first, second), max(first, second))
        let limit = Self.capacity(room - Self.textLength(large))
        guard small <= limit else { return nil }
        let paddedSmall = (padding == .maximum ? .buckets : padding).paddedLength(small, limit: limit)
        let paddedLarge = padding.paddedLength(large, limit: Self.capacity(room - Self.textLength(paddedSmall)))
        self.first = first <= second ? paddedSmall : paddedLarge
        self.second = first <= second ? paddedLarge : paddedSmall
    }

    /// The longest message whose text fits into some characters; negative where not even an empty one does.
    static func capacity(_ characters: Int) -> Int {
        Base64URL.capacity(max(characters, 0)) - Envelope.overhead
    }

    /// How many characters the text of a message takes.
    static func textLength(_ message: Int) -> Int {
        Base64URL.encodedLength(message + Envelope.overhead)
    }
}
