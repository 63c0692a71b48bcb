internal import PushCryptCore

/// What the messages of a payload need, and the room that there is for them.
struct MessageRoom {
    /// What the first message needs, without padding; `nil` where nothing is sealed.
    let first: Int?
    /// What the second needs.
    let second: Int?
    /// How many characters there are for their texts; negative where the visible part alone is too long.
    let characters: Int

    init(_ visible: VisiblePart, limit: Int, isSigned: Bool) {
        let authentication: MessageFormat.Authentication = isSigned ? .ed25519 : .anonymous
        first = visible.gaps.first.map { MessageFormat.length(payload: $0.sealed.count, authentication) }
        second = visible.gaps.second.map { MessageFormat.length(payload: $0.sealed.count, authentication) }
        characters = limit - visible.bytes.count
    }

    /// By how many bytes what is sealed could still grow; negative by as many as are too many.
    var remaining: Int {
        guard let first else { return characters }
        guard let second else { return PaddedLengths.capacity(characters) - first }
        // Whichever of the two grows: base64 has room to spare for one at times, and not for the other.
        return min(
            PaddedLengths.capacity(characters - PaddedLengths.textLength(second)) - first,
            PaddedLengths.capacity(characters - PaddedLengths.textLength(first)) - second)
    }

    /// How many characters the texts would take without padding.
    var neededCharacters: Int {
        [first, second].compactMap(\.self).reduce(0) { $0 + PaddedLengths.textLength($1) }
    }
}
