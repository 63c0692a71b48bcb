internal import PushCryptCore
internal import PushCryptPayload

/// The part of a sealed payload that APNs can read, with a slot for each sealed value.
struct VisiblePayload: Sendable {
    /// A sealed value.
    struct Slot: Sendable {
        /// The offset of its string in the visible bytes.
        let offset: Int
        /// The range of the value in the original.
        let original: Range<Int>
        /// The kind of the message with the value.
        let kind: MessageKind
    }

    /// The payload, with an empty string for each sealed value.
    private(set) var bytes: [UInt8] = []

    /// The sealed values in the order of their strings, at most two.
    private(set) var slots: [Slot] = []

    /// The index of the sealed value whose message ID gives the push its `apns-id`.
    ///
    /// It is the only one, or the state of a Live Activity.
    var identifyingSlot: Int { slots.firstIndex { $0.kind == .activityState } ?? 0 }

    private static let opening = [UInt8](#""\#(Envelope.payloadKey)":""#.utf8)

    /// Writes the visible part of a payload.
    ///
    /// Without `aps`, only the sealed value is written, for a device that isn't Apple's.
    ///
    /// - Throws: ``PushCryptError`` with `invalidPlaceholder`; or with `invalidPayload` if a Live
    ///   Activity has no `aps` or one of its sealed values isn't a dictionary, or if an exposed
    ///   value is a dictionary or an array and not a sound; or with `notSealable`.
    init(
        _ original: OriginalPayload, _ type: PushType, placeholder: Placeholder,
        exposedKeys: Set<ExposedKey>,
        hasAps: Bool = true
    ) throws(PushCryptError) {
        bytes.reserveCapacity(256)
        if let kind = type.messageKind, !hasAps {
            bytes.append(UInt8(ascii: "{"))
            writeSlot(for: 0..<original.bytes.count, kind)
            bytes.append(UInt8(ascii: "}"))
            return
        }
        guard let kind = type.messageKind else {
            try type.checkSealable()
            try writeLiveActivity(
                original, placeholder: exposedKeys.contains(.alert) ? nil : placeholder)
            return
        }
        switch type {
        case .alert:
            bytes += #"{"aps":{"alert":"#.utf8
            try placeholder.write(to: &bytes)
            bytes += #","mutable-content":1"#.utf8
            if !exposedKeys.isEmpty {
                let keys = ExposedKey.inAlerts.lazy.filter(exposedKeys.contains)
                try writeMembers(
                    keys.compactMap { PayloadKey(rawValue: $0.rawValue) }, of: original)
            }
        case .background:
            bytes += #"{"aps":{"content-available":1"#.utf8
        default:
            bytes += #"{"aps":{"#.utf8
        }
        bytes += #"},"#.utf8
        writeSlot(for: 0..<original.bytes.count, kind)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes the member of a sealed value with an empty string.
    private mutating func writeSlot(for value: Range<Int>, _ kind: MessageKind) {
        bytes += Self.opening
        slots.append(Slot(offset: bytes.count, original: value, kind: kind))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes members as they are in the original, but no container except a sound, even if the
    /// sender ignores all rules.
    private mutating func writeMembers(
        _ keys: some Sequence<PayloadKey>, of original: OriginalPayload
    ) throws(PushCryptError) {
        for key in keys {
            guard let member = original.outline[key] else { continue }
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(key.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch member.kind {
            case .object where key == .sound:
                bytes.append(UInt8(ascii: "{"))
                try writeMembers([.critical, .name, .volume], of: original)
                bytes.append(UInt8(ascii: "}"))
            case .object, .array:
                throw PushCryptError(
                    .invalidPayload,
                    """
                    The exposed value \(key.rawValue) is a dictionary or an array. \
                    Do not expose it, or give a text or a number.
                    """)
            default:
                bytes += original.bytes[member.range]
            }
        }
    }

    /// Writes a Live Activity push with its content state and its attributes sealed.
    ///
    /// The placeholder, if there is one, replaces the words of the alert.
    private mutating func writeLiveActivity(
        _ original: OriginalPayload, placeholder: Placeholder?
    ) throws(PushCryptError) {
        // These checks hold even if the sender ignores all rules: otherwise secrets would stay
        // readable.
        guard let aps = original.outline.aps, aps.kind == .object else {
            throw PushCryptError(
                .invalidPayload,
                "The \"aps\" of a Live Activity push isn't a dictionary. Give it as a dictionary.")
        }
        let values = try Self.sealedValues(of: original)
        guard !values.isEmpty else {
            throw PushCryptError(
                .invalidPayload,
                """
                Nothing of the Live Activity push would be sealed. Add a state, or send it \
                unsealed.
                """)
        }
        var replaced = values.map { (range: $0.range, kind: Optional($0.kind)) }
        if placeholder != nil, let alert = original.outline[.alert], alert.kind != .null {
            replaced.append((alert.range, nil))
        }
        var position = 0
        for value in replaced.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += original.bytes[position..<value.range.lowerBound]
            if let kind = value.kind {
                bytes.append(UInt8(ascii: "{"))
                writeSlot(for: value.range, kind)
                bytes.append(UInt8(ascii: "}"))
            } else {
                try placeholder?.write(to: &bytes)
                writeAlertSound(of: original)
            }
            position = value.range.upperBound
        }
        bytes += original.bytes[position...]
    }

    /// Writes the sound of a Live Activity's alert, which the system plays, into the placeholder.
    private mutating func writeAlertSound(of original: OriginalPayload) {
        let document = original.outline.document
        guard let alert = original.outline[.alert],
            let sound = document.member(
                PayloadKey.sound.rawValue, of: alert, in: original.bytes.span),
            sound.kind == .string
        else { return }
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        JSONText.append(PayloadKey.sound.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        bytes += original.bytes[sound.range]
        bytes.append(UInt8(ascii: "}"))
    }

    /// Returns the values that a Live Activity push seals, in no order.
    private static func sealedValues(
        of original: OriginalPayload
    ) throws(PushCryptError) -> [(range: Range<Int>, kind: MessageKind)] {
        var values: [(range: Range<Int>, kind: MessageKind)] = []
        for key in PayloadKey.sealedInLiveActivities {
            guard let member = original.outline[key] else { continue }
            switch member.kind {
            case .object:
                values.append(
                    (member.range, key == .attributes ? .activityAttributes : .activityState))
            case .null: break
            default:
                let name = key.path.joined(separator: ".")
                throw PushCryptError(
                    .invalidPayload, "\(name) isn't a dictionary. Give it as a dictionary.")
            }
        }
        return values
    }
}
