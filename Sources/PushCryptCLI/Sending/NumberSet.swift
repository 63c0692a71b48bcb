/// A set of numbers that are nearly all in a row, as ranges.
struct NumberSet: Sendable, Equatable {
    /// The ranges in order, with gaps between them.
    private(set) var ranges: [Range<Int>] = []

    init() {}

    init(_ range: ClosedRange<Int>) { ranges = [Range(range)] }

    var isEmpty: Bool { ranges.isEmpty }

    /// The greatest number; 0 without any.
    var highest: Int { ranges.last.map { $0.upperBound - 1 } ?? 0 }

    /// The count of numbers from 1 on without a gap.
    var lengthOfStart: Int { ranges.first.map { $0.lowerBound == 1 ? $0.upperBound - 1 : 0 } ?? 0 }

    func contains(_ number: Int) -> Bool {
        let index = indexOfRange(endingAfter: number)
        return index < ranges.count && ranges[index].contains(number)
    }

    /// Inserts a number, and returns `false` if the set has it already.
    @discardableResult mutating func insert(_ number: Int) -> Bool {
        // Most numbers are the next ones.
        if let last = ranges.last, last.upperBound == number {
            ranges[ranges.count - 1] = last.lowerBound..<number + 1
            return true
        }
        let index = indexOfRange(endingAfter: number)
        if index < ranges.count, ranges[index].contains(number) { return false }
        let joinsNext = index < ranges.count && ranges[index].lowerBound == number + 1
        let joinsPrevious = index > 0 && ranges[index - 1].upperBound == number
        let start = joinsPrevious ? ranges[index - 1].lowerBound : number
        let end = joinsNext ? ranges[index].upperBound : number + 1
        let replaced = (joinsPrevious ? index - 1 : index)..<(joinsNext ? index + 1 : index)
        ranges.replaceSubrange(replaced, with: [start..<end])
        return true
    }

    /// Returns the index of the first range that ends after a number.
    private func indexOfRange(endingAfter number: Int) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
