internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptRules

/// What everybody on the way can read: the payload that travels, with gaps for the sealed values.
struct VisiblePart: Sendable {
    /// The payload without the texts of its sealed values.
    private(set) var bytes: [UInt8] = []

    /// Where in `bytes` a sealed value's text belongs; two at the most.
    private(set) var gaps: (first: Gap?, second: Gap?) = (nil, nil)

    private static let opening = [UInt8](#""\#(Envelope.payloadKey)":""#.utf8)

    /// A place for a sealed value, and what is sealed there.
    struct Gap: Sendable {
        /// Where in the visible bytes.
        let offset: Int
        /// Where in the original's bytes.
        let sealed: Range<Int>
    }

    /// Lays out the payload that travels.
    ///
    /// - Throws: ``PushCryptError`` with `invalidPlaceholder`, or `invalidPayload` where a Live Activity has no `aps`, what
    ///   belongs to it is no dictionary, or what is exposed is a dictionary or an array and no sound.
    init(
        _ original: OriginalPayload, _ type: PushType, _ placeholder: Placeholder, _ exposedKeys: Set<ExposedKey>
    ) throws(PushCryptError) {
        bytes.reserveCapacity(256)
        switch type {
        case .alert:
            bytes += #"{"aps":{"alert":"#.utf8
            try placeholder.write(to: &bytes)
            bytes += #","mutable-content":1"#.utf8
            try write(exposedKeys, of: original)
        case .background:
            bytes += #"{"aps":{"content-available":1"#.utf8
        case .voip:
            bytes += #"{"aps":{"#.utf8
        default:
            try copy(original)
            return
        }
        bytes += #"},"#.utf8
        writeGap(for: 0..<original.bytes.count)
        bytes.append(UInt8(ascii: "}"))
    }

    /// The member of the sealed value, with nothing in its string yet.
    private mutating func writeGap(for sealed: Range<Int>) {
        bytes += Self.opening
        let gap = Gap(offset: bytes.count, sealed: sealed)
        if gaps.first == nil { gaps.first = gap } else { gaps.second = gap }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes the members of `aps` that are to stay visible, each with a comma before it, as they are spelt.
    private mutating func write(_ keys: Set<ExposedKey>, of original: OriginalPayload) throws(PushCryptError) {
        for key in ExposedKey.allCases where keys.contains(key) {
            guard let member = PayloadKey(rawValue: key.rawValue).flatMap({ original.outline[$0] }) else { continue }
            bytes.append(UInt8(ascii: ","))
            JSONText.append(key.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            if key == .sound, member.kind == .object {
                try writeSound(of: original)
            } else {
                try write(member, of: original)
            }
        }
    }

    /// Writes a value as it is spelt, but nothing that could have any member in it, whatever rules the sender knows better.
    private mutating func write(
        _ member: JSONDocument.Value, of original: OriginalPayload
    ) throws(PushCryptError) {
        switch member.kind {
        case .object, .array:
            let name = original.outline.document.name(of: member, in: original.bytes.span)
            throw PushCryptError(
                .invalidPayload, "\(name) is to stay visible, and is no text or number. Do not expose it, or mend it.")
        default:
            bytes.append(contentsOf: original.bytes[member.range])
        }
    }

    /// Of a dictionary, what Apple's table has: whatever else is in it was not meant to be seen.
    private mutating func writeSound(of original: OriginalPayload) throws(PushCryptError) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for key in [PayloadKey.critical, .name, .volume] {
            guard let member = original.outline[key] else { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONText.append(key.rawValue, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try write(member, of: original)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Everything as it is, but for what the widget opens.
    private mutating func copy(_ original: OriginalPayload) throws(PushCryptError) {
        // Whatever rules the sender knows better: what is meant to be sealed must not be left in the clear.
        guard let aps = original.outline.aps,
            aps.kind == .object
        else {
            throw PushCryptError(
                .invalidPayload, "A Live Activity push has no dictionary \"aps\", so nothing in it would be sealed.")
        }
        var sealed: [Range<Int>] = []
        for key in PayloadKey.sealedInLiveActivities {
            guard let member = original.outline[key] else { continue }
            switch member.kind {
            case .object: sealed.append(member.range)
            case .null: break
            default:
                throw PushCryptError(
                    .invalidPayload, "\(key.path.joined(separator: ".")) is not a dictionary, so it cannot be sealed.")
            }
        }
        var position = 0
        for value in sealed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            bytes += original.bytes[position..<value.lowerBound]
            bytes.append(UInt8(ascii: "{"))
            writeGap(for: value)
            bytes.append(UInt8(ascii: "}"))
            position = value.upperBound
        }
        bytes += original.bytes[position...]
    }
}
