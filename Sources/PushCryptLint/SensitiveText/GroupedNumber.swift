/// A number as groups of digits, with one space or hyphen between them.
struct GroupedNumber {
    private(set) var groups: [Range<Int>]
    private(set) var range: Range<Int>

    init(_ group: Range<Int>) {
        groups = [group]
        range = group
    }

    /// Adds a group that follows the others.
    mutating func append(_ group: Range<Int>) {
        groups.append(group)
        range = range.lowerBound..<group.upperBound
    }

    /// Returns the number that the first groups form.
    func prefix(_ count: Int) -> GroupedNumber {
        var number = GroupedNumber(groups[0])
        for group in groups.prefix(count).dropFirst() {
            number.append(group)
        }
        return number
    }
}

extension FoldedText {
    /// All numbers that stand alone.
    var numbers: [GroupedNumber] {
        var numbers: [GroupedNumber] = []
        for group in digitGroups {
            let separator = group.lowerBound - 1
            let continuesNumber = numbers.last?.range.upperBound == separator
            if continuesNumber, scalars[separator] == " " || scalars[separator] == "-" {
                numbers[numbers.count - 1].append(group)
            } else {
                numbers.append(GroupedNumber(group))
            }
        }
        return numbers.filter(standsAlone)
    }

    /// The longest runs of digits.
    private var digitGroups: [Range<Int>] {
        var groups: [Range<Int>] = []
        for start in scalars.indices where isDigit(start) && !isDigit(start - 1) {
            let end = scalars.indices[start...].first { !isDigit($0) } ?? scalars.endIndex
            groups.append(start..<end)
        }
        return groups
    }

    private func standsAlone(_ number: GroupedNumber) -> Bool {
        let start = number.range.lowerBound
        let end = number.range.upperBound
        return !continues(at: start - 1, then: start - 2) && !continues(at: end, then: end + 1)
    }

    /// Returns a Boolean value that indicates whether a number goes on at the two characters next
    /// to it.
    ///
    /// It goes on with a letter, or with a separator and a digit as in 1.5 and 12:30.
    private func continues(at near: Int, then far: Int) -> Bool {
        if isWord(near) { return true }
        guard isDigit(far) else { return false }
        return ".,:".unicodeScalars.contains(scalars[near])
    }
}
