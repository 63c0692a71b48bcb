/// The progress of a file on a terminal: its bytes and, if the length is known, the percentage.
struct TransferProgress: Sendable {
    /// The word before the bytes, such as "sealed".
    private let verb: String
    private var display = ProgressDisplay()

    init(_ verb: String) { self.verb = verb }

    mutating func update(_ done: Int, of length: Int) {
        if display.isDue { display.show(text(done, of: length)) }
    }

    mutating func clear() { display.clear() }

    /// Returns the text for a number of bytes, of a length that is 0 if it isn't known.
    func text(_ done: Int, of length: Int) -> String {
        guard length > 0 else { return "\(verb) \(done) bytes" }
        return "\(verb) \(done) of \(length) bytes, \(100 * min(done, length) / length) %"
    }
}
