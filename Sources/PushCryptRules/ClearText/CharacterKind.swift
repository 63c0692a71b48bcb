/// What a character is to the detectors.
enum CharacterKind: Sendable {
    /// A decimal digit of any script.
    case digit
    /// A letter of a script that puts spaces between words.
    case letter
    /// An accent or a vowel sign.
    case mark
    /// A Han character: no spaces, and it says as much as two letters of the other scripts without spaces.
    case ideograph
    /// A letter of another script without spaces: kana, Thai and its neighbours.
    case unspaced
    /// A Korean syllable: there are spaces between words, but none between a number and what belongs to it.
    case hangul
    /// A space or a tab.
    case space
    /// A line break.
    case lineBreak
    /// Everything else.
    case other

    /// Whether a digit beside such a letter is not one word with it.
    var standsBesideDigits: Bool {
        self == .ideograph || self == .unspaced || self == .hangul
    }

    /// The scalar that the detectors see instead of one, and its kind; `nil` for what nobody sees.
    static func fold(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, CharacterKind)? {
        if scalar.isASCII { return (scalar.value == 0x09 ? " " : scalar, kind(ofASCII: scalar.value)) }
        if (0xFF01...0xFF5E).contains(scalar.value), let ascii = Unicode.Scalar(scalar.value - 0xFEE0) {
            return (ascii, kind(ofASCII: ascii.value))
        }
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint else { return nil }
        if properties.numericType == .decimal, let value = properties.numericValue {
            return (Unicode.Scalar(UInt8(0x30 + Int(value) % 10)), .digit)
        }
        switch properties.generalCategory {
        case .spaceSeparator: return (" ", .space)
        case .lineSeparator, .paragraphSeparator: return (scalar, .lineBreak)
        case .control: return (scalar, scalar.value == 0x85 ? .lineBreak : .other)
        case .dashPunctuation: return ("-", .other)
        case .mathSymbol: return (scalar.value == 0x2212 ? "-" : scalar, .other)
        case .nonspacingMark, .spacingMark, .enclosingMark: return (scalar, .mark)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return (scalar, kind(ofLetter: scalar.value))
        default: return (scalar, .other)
        }
    }

    private static func kind(ofASCII value: UInt32) -> CharacterKind {
        switch value {
        case 0x30...0x39: .digit
        case 0x41...0x5A, 0x61...0x7A: .letter
        case 0x09, 0x20: .space
        case 0x0A...0x0D: .lineBreak
        default: .other
        }
    }

    /// The standard library does not say which script a letter is of, so the blocks say it.
    private static func kind(ofLetter value: UInt32) -> CharacterKind {
        switch value {
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: .ideograph
        // Thai and Lao, Burmese, Khmer, kana and bopomofo, half-width katakana.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3030...0x312F, 0x31A0...0x31FF, 0xFF65...0xFF9F:
            .unspaced
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFFA0...0xFFDC: .hangul
        default: .letter
        }
    }
}
