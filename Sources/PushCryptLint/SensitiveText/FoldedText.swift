/// A string as the detectors compare it: small letters, ASCII digits, spaces and hyphens, no
/// invisible characters.
struct FoldedText {
    /// The kinds of characters, with `unspaced` for scripts such as Chinese and Thai.
    enum Kind { case digit, letter, unspaced, other }

    private(set) var scalars: [Unicode.Scalar] = []
    private(set) var kinds: [Kind] = []

    init(_ text: String) {
        for scalar in text.unicodeScalars {
            guard let (folded, kind) = Self.fold(scalar) else { continue }
            scalars.append(folded)
            kinds.append(kind)
        }
    }

    private static func fold(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, Kind)? {
        switch scalar.value {
        case 0x30...0x39: return (scalar, .digit)
        case 0x61...0x7A: return (scalar, .letter)
        case 0x41...0x5A: return (Unicode.Scalar(UInt8(scalar.value + 0x20)), .letter)
        case ..<0x80: return (scalar == "\t" ? " " : scalar, .other)
        case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0).flatMap(fold)
        default: break
        }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return nil }
        if properties.numericType == .decimal, let value = properties.numericValue {
            return (Unicode.Scalar(UInt8(0x30 + Int(value) % 10)), .digit)
        }
        switch properties.generalCategory {
        case .spaceSeparator: return (" ", .other)
        case .dashPunctuation: return ("-", .other)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark:
            return (
                properties.lowercaseMapping.unicodeScalars.first ?? scalar,
                kind(ofLetter: scalar.value)
            )
        default: return (scalar, .other)
        }
    }

    private static func kind(ofLetter value: UInt32) -> Kind {
        switch value {
        // Thai to Burmese, Hangul, Khmer, then Chinese and Japanese.
        case 0x0E00...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF65...0xFFDC, 0x20000...0x3FFFF:
            .unspaced
        default: .letter
        }
    }

    /// Replaces the characters of a range, so that no detector finds them again.
    mutating func erase(_ range: Range<Int>) {
        for index in range {
            scalars[index] = "\u{FFFC}"
            kinds[index] = .other
        }
    }

    /// Returns a character, or `nil` beyond the ends of the string.
    subscript(index: Int) -> Unicode.Scalar? {
        scalars.indices.contains(index) ? scalars[index] : nil
    }

    func isDigit(_ index: Int) -> Bool { self[index] != nil && kinds[index] == .digit }

    func isWord(_ index: Int) -> Bool {
        isDigit(index) || self[index] != nil && kinds[index] == .letter
    }

    func value(_ index: Int) -> Int { Int(scalars[index].value) - 0x30 }
}
