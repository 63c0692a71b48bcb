/// A text as the detectors read it: its scalars, folded, and the kind of each.
///
/// Folding lets the detectors compare with ASCII alone. Decimal digits of all scripts become 0 to 9, full-width
/// characters become ASCII, and all spaces and hyphens become one of each. What nobody sees, such as direction marks
/// around a number, is left out.
struct ScannedText {
    /// The folded scalars.
    private(set) var scalars: [Unicode.Scalar] = []
    /// The kind of each scalar.
    private(set) var kinds: [CharacterKind] = []
    /// Every run of digits, in order.
    private(set) var digitGroups: [Range<Int>] = []

    init(_ text: String) {
        scalars.reserveCapacity(text.utf8.count)
        kinds.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let (folded, kind) = CharacterKind.fold(scalar) else { continue }
            scalars.append(folded)
            kinds.append(kind)
        }
        digitGroups = findDigitGroups()
        for range in NumberLookalikes.ranges(in: self) {
            for index in range where kinds[index] == .digit { kinds[index] = .letter }
        }
        digitGroups = findDigitGroups()
    }

    /// How many scalars there are.
    var count: Int { scalars.count }

    /// The scalar at a place, if the text reaches that far.
    func scalar(_ index: Int) -> Unicode.Scalar? {
        scalars.indices.contains(index) ? scalars[index] : nil
    }

    /// The kind of the scalar at a place, if the text reaches that far.
    func kind(_ index: Int) -> CharacterKind? {
        kinds.indices.contains(index) ? kinds[index] : nil
    }

    /// Whether a digit is at a place.
    func isDigit(_ index: Int) -> Bool {
        kind(index) == .digit
    }

    /// Whether what is at a place would make one word with a letter or a digit beside it.
    func isInWord(_ index: Int) -> Bool {
        switch kind(index) {
        case .digit, .letter, .mark: true
        default: false
        }
    }

    /// The value of a digit.
    func digit(_ index: Int) -> Int {
        Int(scalars[index].value) - 0x30
    }

    /// The number that some digits spell, few enough of them for an `Int`.
    func number(_ digits: Range<Int>) -> Int {
        digits.reduce(0) { $0 * 10 + digit($1) }
    }

    private func findDigitGroups() -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var start: Int?
        for index in 0...count {
            if isDigit(index) {
                start = start ?? index
            } else if let begin = start {
                groups.append(begin..<index)
                start = nil
            }
        }
        return groups
    }
}
