internal import PushCryptCore
internal import PushCryptRules

/// The lengths of the messages of one payload, and the room that APNs leaves for their texts.
struct MessageLayout {
    /// The visible part of the payload, with the slots of the messages.
    var visible: VisiblePayload

    /// The number of characters for the texts; negative if the visible bytes alone are too long.
    let room: Int

    private let authentication: MessageFormat.Authentication

    /// Lays out a payload with the settings of a sealer.
    init(_ original: OriginalPayload, _ type: PushType, _ sealer: Sealer) throws(PushCryptError) {
        visible = try VisiblePayload(original, type, sealer.placeholder, sealer.exposedKeys)
        room = type.maximumPayloadLength - visible.bytes.count
        authentication = sealer.authentication.signingKey == nil ? .anonymous : .ed25519
    }

    /// Truncates the texts of the payload if it doesn't fit and the sealer may truncate them.
    mutating func truncate(
        _ original: inout OriginalPayload, _ type: PushType, _ sealer: Sealer
    ) throws(PushCryptError) -> [Truncation] {
        guard !fits, type != .liveActivity, !sealer.truncatableFields.isEmpty else { return [] }
        let limit = original.bytes.count + remaining
        let truncator = try Truncator(original, to: limit, fields: sealer.truncatableFields)
        original = truncator.original
        self = try MessageLayout(original, type, sealer)
        return truncator.truncations
    }

    /// Returns the length of a message without padding.
    func length(at index: Int) -> Int {
        MessageFormat.length(payload: visible.slots[index].original.count, authentication)
    }

    /// The number of characters that the texts take without padding.
    var neededCharacters: Int {
        visible.slots.indices.reduce(0) { $0 + Self.textLength(length(at: $1)) }
    }

    /// The number of bytes that any of the sealed values may grow by; negative if they are too long.
    var remaining: Int {
        // With two sealed values, base64 can have a byte to spare for one of them only.
        let needed = neededCharacters
        return visible.slots.indices.map { index in
            let length = length(at: index)
            return Self.capacity(room - needed + Self.textLength(length)) - length
        }.min() ?? room
    }

    /// A Boolean value that indicates whether the texts fit.
    var fits: Bool { neededCharacters <= room }

    /// Returns the padded length of a message; the messages must fit.
    func paddedLength(at index: Int, _ padding: Padding) -> Int {
        let other = visible.slots.count == 2 ? length(at: 1 - index) : nil
        return Self.paddedLength(length(at: index), beside: other, room: room, padding)
    }

    /// Returns the padded length of a message that shares the room of characters with at most one other message.
    static func paddedLength(_ length: Int, beside other: Int?, room: Int, _ padding: Padding) -> Int {
        guard let other else { return padding.paddedLength(length, limit: capacity(room)) }
        // Half of the room each, so that neither length depends on the other.
        let half = capacity(room / 2)
        guard max(length, other) > half else { return padding.paddedLength(length, limit: half) }
        guard length > other else {
            // The other needs more than half. This one takes a bucket, or what the other leaves.
            let own: Padding = padding == .maximum ? .buckets : padding
            return own.paddedLength(length, limit: capacity(room - textLength(other)))
        }
        let shorter = paddedLength(other, beside: length, room: room, padding)
        return padding.paddedLength(length, limit: capacity(room - textLength(shorter)))
    }

    /// Returns the length of the longest message with a text of at most some characters; negative if no message fits.
    static func capacity(_ characters: Int) -> Int {
        Base64URL.capacity(max(characters, 0)) - Envelope.overhead
    }

    /// Returns the number of characters in the text of a message.
    static func textLength(_ length: Int) -> Int {
        Base64URL.encodedLength(length + Envelope.overhead)
    }
}
