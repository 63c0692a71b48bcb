/// Groups of digits with what may stand between them in a telephone number.
///
/// No more of them are taken than tell that there are too many, so that each place of a text costs the same.
struct PhoneDigits {
    /// What stands in front of the first digit.
    enum Opening {
        /// Something that no telephone number follows.
        case none
        case plain
        case plus
        case parenthesis
    }

    /// What stands between two groups.
    enum Separator {
        case space
        case hyphen
        case dot
        case slash
        case parenthesis
        /// A hyphen or a slash with spaces around it.
        case wide
    }

    private let text: ScannedText
    /// Which group of the text is the first.
    let first: Int
    /// How many digits each group has.
    private(set) var counts: [Int]
    /// The separator in front of each group; what the first has is of no meaning.
    private(set) var separators: [Separator] = [.space]
    /// What stands in front.
    let opening: Opening
    /// Whether it ends where the text has no more digits with separators between them.
    private(set) var isWhole = true

    /// More digits than any telephone number has.
    private static let limit = 20

    init(in text: ScannedText, from first: Int) {
        self.text = text
        self.first = first
        let groups = text.digitGroups
        counts = [groups[first].count]
        opening = Self.opening(in: text, before: groups[first])
        guard opening != .none else { return }
        var (group, count) = (first, groups[first].count)
        while let separator = Self.separator(in: text, behind: group) {
            group += 1
            count += groups[group].count
            guard count <= Self.limit else {
                isWhole = false
                return
            }
            counts.append(groups[group].count)
            separators.append(separator)
        }
    }

    /// The groups, counted from the first one, which is 0.
    var boundaries: Range<Int> { counts.indices }

    /// One of the first group's digits.
    func value(_ digit: Int) -> Int {
        value(inGroup: 0, digit)
    }

    /// One of a group's digits; they have at least one each.
    func value(inGroup group: Int, _ digit: Int) -> Int {
        text.digit(text.digitGroups[first + group].lowerBound + digit)
    }

    /// Whether the first group begins with some digits.
    func starts(with values: [Int]) -> Bool {
        counts[0] >= values.count && values.indices.allSatisfy { value($0) == values[$0] }
    }

    /// Whether the first group is a year of this or the last century.
    var isYear: Bool {
        counts[0] == 4 && (starts(with: [1, 9]) || starts(with: [2, 0]))
    }

    /// How many digits there are up to the end of a group.
    func count(through boundary: Int) -> Int {
        counts[...boundary].reduce(0, +)
    }

    /// How many there are without the zero of `+49 (0)30`, which nobody dials.
    func countWithoutTrunk(through boundary: Int) -> Int {
        let trunks = (1..<max(boundary + 1, 1)).filter {
            counts[$0] == 1 && separators[$0] == .parenthesis && value(inGroup: $0, 0) == 0
        }
        return count(through: boundary) - trunks.count
    }

    /// Whether the groups are those of a number with separators for thousands.
    func areThousands(through boundary: Int) -> Bool {
        boundary > 0 && counts[0] <= 3 && counts[1...boundary].allSatisfy { $0 == 3 }
            && (separators[1...boundary].allSatisfy { $0 == .dot }
                || separators[1...boundary].allSatisfy { $0 == .space })
    }

    /// Whether a telephone number may end behind a group, because a space or no digit follows.
    func mayEnd(behind boundary: Int) -> Bool {
        let end = text.digitGroups[first + boundary].upperBound
        if boundary + 1 < separators.count { return text.kind(end) == .space }
        guard let after = text.scalar(end) else { return true }
        switch after {
        case ".", ",", ":", "/": return !text.isDigit(end + 1)
        case "-", "_": return !text.isInWord(end + 1)
        case "@", "%", "=": return false
        default: return !text.isInWord(end) && after.properties.generalCategory != .currencySymbol
        }
    }

    // MARK: Reading

    private static func opening(in text: ScannedText, before digits: Range<Int>) -> Opening {
        var start = digits.lowerBound
        let isInParentheses = text.scalar(start - 1) == "("
        if isInParentheses { start -= 1 }
        if text.scalar(start - 1) == "+" {
            return text.isInWord(start - 2) || text.scalar(start - 2) == "/" ? .none : .plus
        }
        guard startsCleanly(text, at: start) else { return .none }
        guard isInParentheses else { return .plain }
        return text.scalar(digits.upperBound) == ")" ? .parenthesis : .plain
    }

    private static func startsCleanly(_ text: ScannedText, at start: Int) -> Bool {
        guard let before = text.scalar(start - 1) else { return true }
        switch before {
        case ".", ",", ":", "'": return !text.isDigit(start - 2)
        case "-", "_", "/": return !text.isInWord(start - 2)
        // Behind a group of digits it would be a part of something longer, such as a mistyped IBAN; but not behind 24/7.
        case " ": return !(text.isDigit(start - 2) && text.isDigit(start - 3))
        case "#", "@", "=", "&", "%": return false
        default: return !text.isInWord(start - 1) && before.properties.generalCategory != .currencySymbol
        }
    }

    /// The separator between a group of digits and the next one, if a telephone number may go on there.
    private static func separator(in text: ScannedText, behind group: Int) -> Separator? {
        let groups = text.digitGroups
        guard group + 1 < groups.count, groups[group + 1].lowerBound - groups[group].upperBound <= 3 else { return nil }
        var between = ""
        between.unicodeScalars += text.scalars[groups[group].upperBound..<groups[group + 1].lowerBound]
        return separatorsByText[between]
    }

    private static let separatorsByText: [String: Separator] = [
        " ": .space, "-": .hyphen, ".": .dot, "/": .slash, " - ": .wide, " / ": .wide, "(": .parenthesis,
        ")": .parenthesis, " (": .parenthesis, ") ": .parenthesis, ")-": .parenthesis, ")/": .parenthesis,
        "-(": .parenthesis, ") (": .parenthesis,
    ]
}
