internal import PushCryptCore

/// The lengths of the messages of one payload, and the room that the carrier leaves for them.
struct MessageLayout {
    /// The visible part of the payload, with the slots of the messages.
    let visible: VisiblePayload

    /// The number of characters for the encoded messages; negative if the visible bytes alone are
    /// too long.
    let room: Int

    private let plan: SealingPlan

    /// Lays out a payload by a plan.
    init(_ original: OriginalPayload, _ plan: SealingPlan) throws(PushCryptError) {
        visible = try VisiblePayload(
            original, plan.type, placeholder: plan.placeholder, exposedKeys: plan.exposedKeys,
            hasAps: plan.carrier.hasAps)
        room = plan.carrier.room(beside: visible.bytes.count, plan.type)
        self.plan = plan
    }

    /// Truncates the fields of the payload if it doesn't fit and the sealer may truncate them.
    mutating func truncate(_ original: inout OriginalPayload) throws(PushCryptError) -> [Truncation]
    {
        guard !fits, plan.type != .liveActivity, !plan.truncatableFields.isEmpty else { return [] }
        let limit = original.bytes.count + remaining
        let truncator = try Truncator(original, to: limit, fields: plan.truncatableFields)
        original = truncator.original
        self = try MessageLayout(original, plan)
        return truncator.truncations
    }

    /// Throws `payloadTooLarge`, with the number of bytes that are too many, if the messages don't
    /// fit.
    func checkFit(of original: OriginalPayload) throws(PushCryptError) {
        guard !fits else { return }
        let readable = visible.bytes.count
        let limit = readable + room
        let length = readable + neededCharacters
        let excess = -remaining
        let fix =
            excess < original.bytes.count
            ? self.fix(of: original, excess)
            : """
            Its readable part takes \(readable) bytes. Shorten the placeholder and the exposed \
            values.
            """
        throw PushCryptError(
            .payloadTooLarge,
            """
            The sealed payload would have \(length) bytes, but \(plan.carrier.name) accepts \
            \(limit): \(length - limit) too many. \(fix)
            """)
    }

    /// Returns the fix of a payload that is too long by a number of bytes.
    private func fix(of original: OriginalPayload, _ excess: Int) -> String {
        let escapes = JSONText.needlessEscapes(in: original.outline.document, original.bytes.span)
        let encode = """
            Needless escapes take \(escapes) bytes. Encode text as UTF-8, and / without a \
            backslash.
            """
        guard escapes < excess else { return encode }
        let truncate = plan.truncatableFields.isEmpty ? "let the sealer truncate its texts, " : ""
        let shorten = """
            Shorten the payload by at least \(excess) bytes, \(truncate)or expose less.
            """
        return escapes > 0 ? "\(encode) \(shorten)" : shorten
    }

    /// Returns a padded message for each slot; the messages must fit.
    ///
    /// If `kind` is `nil`, each message has the kind of its slot.
    func messages(
        of original: OriginalPayload, as kind: MessageKind?
    ) throws(PushCryptError) -> [OutgoingMessage] {
        var messages: [OutgoingMessage] = []
        messages.reserveCapacity(visible.slots.count)
        for (index, slot) in visible.slots.enumerated() {
            let message = try OutgoingMessage(
                kind ?? slot.kind, payload: original.bytes.span.extracting(slot.original),
                paddedTo: paddedLength(at: index, plan.padding), authentication: plan.authentication
            )
            messages.append(message)
        }
        return messages
    }

    /// Returns the length of a message without padding.
    func length(at index: Int) -> Int {
        MessageFormat.length(payload: visible.slots[index].original.count, plan.authentication)
    }

    /// The number of characters that the messages take without padding.
    var neededCharacters: Int {
        visible.slots.indices.reduce(0) { $0 + Self.textLength(length(at: $1)) }
    }

    /// The number of bytes that any of the sealed values may grow by; negative if they are too
    /// long.
    var remaining: Int {
        // With two sealed values, base64 can have a byte to spare for one of them only.
        let needed = neededCharacters
        return visible.slots.indices.map { index in
            let length = length(at: index)
            return Self.capacity(room - needed + Self.textLength(length)) - length
        }.min() ?? room
    }

    /// A Boolean value that indicates whether the messages fit.
    var fits: Bool { neededCharacters <= room }

    /// Returns the padded length of a message; the messages must fit.
    func paddedLength(at index: Int, _ padding: Padding) -> Int {
        let other = visible.slots.count == 2 ? length(at: 1 - index) : nil
        return Self.paddedLength(length(at: index), beside: other, room: room, padding)
    }

    /// Returns the padded length of a message that shares the room of characters with at most one
    /// other message.
    static func paddedLength(_ length: Int, beside other: Int?, room: Int, _ padding: Padding)
        -> Int
    {
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

    /// Returns the length of the longest message whose encoded text fits in `characters`; negative
    /// if no message fits.
    static func capacity(_ characters: Int) -> Int {
        Base64URL.capacity(max(characters, 0)) - Envelope.overhead
    }

    /// Returns the number of characters of an encoded message.
    static func textLength(_ length: Int) -> Int {
        Base64URL.encodedLength(length + Envelope.overhead)
    }
}
