/// A text that goes into a file.
struct Insertion: Comparable {
    var offset: Int
    var text: String
    /// The order of insertions at the same offset: the ends of inner code, the ends of outer code,
    /// and then starts.
    private var rank: Int

    /// Returns the two insertions around the code of a mutant.
    static func around(_ wrapping: Wrapping, condition: String) -> [Insertion] {
        let length = wrapping.end - wrapping.start
        return [
            // Outer code starts first.
            Insertion(
                offset: wrapping.start, text: wrapping.before(condition), rank: 1_000_000 - length),
            Insertion(offset: wrapping.end, text: wrapping.after, rank: length - 1_000_000),
        ]
    }

    static func < (first: Insertion, second: Insertion) -> Bool {
        (first.offset, first.rank) < (second.offset, second.rank)
    }
}
