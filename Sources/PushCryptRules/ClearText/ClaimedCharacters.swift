/// Which characters of a text belong to something that was found already.
struct ClaimedCharacters {
    private var isClaimed: [Bool]

    /// None of them yet.
    init(of text: ScannedText) {
        isClaimed = [Bool](repeating: false, count: text.count)
    }

    mutating func claim(_ ranges: [Range<Int>]) {
        for range in ranges {
            for index in range where isClaimed.indices.contains(index) { isClaimed[index] = true }
        }
    }

    /// Whether any character of a range was claimed.
    func overlap(_ range: Range<Int>) -> Bool {
        range.contains { isClaimed.indices.contains($0) && isClaimed[$0] }
    }
}
