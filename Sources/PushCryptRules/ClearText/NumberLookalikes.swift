/// Digits that belong to a UUID, a date or an IP address: to all detectors they are letters of a word.
enum NumberLookalikes {
    static func ranges(in text: ScannedText) -> [Range<Int>] {
        text.scalars.indices.compactMap { uuid(in: text, at: $0) }
            + text.digitGroups.indices.flatMap {
                [date(in: text, at: $0), address(in: text, at: $0)].compactMap { $0 }
            }
    }

    /// A UUID that begins at a place.
    private static func uuid(in text: ScannedText, at start: Int) -> Range<Int>? {
        guard !text.isInWord(start - 1), !text.isInWord(start + 36) else { return nil }
        for offset in 0..<36 {
            guard let scalar = text.scalar(start + offset) else { return nil }
            let isHyphen = [8, 13, 18, 23].contains(offset)
            guard isHyphen ? scalar == "-" : scalar.properties.isASCIIHexDigit else { return nil }
        }
        return start..<(start + 36)
    }

    /// A date that begins with a group of digits: 2026-05-31, 31.05.2026, 5/31/26.
    private static func date(in text: ScannedText, at group: Int) -> Range<Int>? {
        guard let groups = dotted(in: text, from: group, count: 3, separators: [".", "-", "/"]) else { return nil }
        let counts = groups.map(\.count)
        let numbers: ArraySlice<Range<Int>>
        if counts[0] == 4, counts[1] <= 2, counts[2] <= 2 {
            numbers = groups[1...]
        } else if counts[0] <= 2, counts[1] <= 2,
            // Two digits with hyphens would be the end of many a telephone number.
            counts[2] == 4 || counts[2] == 2 && text.scalar(groups[0].upperBound) != "-"
        {
            numbers = groups[..<2]
        } else {
            return nil
        }
        let values = numbers.map { text.number($0) }
        guard values.allSatisfy({ (1...31).contains($0) }), values.contains(where: { $0 <= 12 }) else { return nil }
        return groups[0].lowerBound..<groups[2].upperBound
    }

    /// An IP address that begins with a group of digits.
    private static func address(in text: ScannedText, at group: Int) -> Range<Int>? {
        guard let groups = dotted(in: text, from: group, count: 4, separators: ["."]),
            groups.allSatisfy({ $0.count <= 3 && text.number($0) <= 255 })
        else { return nil }
        // Some write all zeros, then in every group; a zero in front of one is a telephone number's.
        let isPadded = groups.allSatisfy { $0.count == 3 }
        guard isPadded || groups.allSatisfy({ $0.count == 1 || text.digit($0.lowerBound) != 0 }) else { return nil }
        return groups[0].lowerBound..<groups[3].upperBound
    }

    /// So many groups of digits with the same separator between them, and no more of that.
    private static func dotted(
        in text: ScannedText, from first: Int, count: Int, separators: Set<Unicode.Scalar>
    ) -> [Range<Int>]? {
        guard first + count <= text.digitGroups.count else { return nil }
        let groups = Array(text.digitGroups[first..<(first + count)])
        guard let separator = text.scalar(groups[0].upperBound), separators.contains(separator) else { return nil }
        for (left, right) in zip(groups, groups.dropFirst()) {
            guard left.upperBound + 1 == right.lowerBound, text.scalars[left.upperBound] == separator else {
                return nil
            }
        }
        let (start, end) = (groups[0].lowerBound, groups[count - 1].upperBound)
        let goesOn = text.scalar(end) == separator && text.isDigit(end + 1)
        let wentOn = text.scalar(start - 1) == separator && text.isDigit(start - 2)
        return goesOn || wentOn ? nil : groups
    }
}
