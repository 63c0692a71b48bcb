/// The progress of a file: its bytes and, if the length is known, the percentage.
struct TransferProgress {
    /// The word before the bytes, such as "sealed".
    let verb: String
    private var display = ProgressDisplay()

    init(_ verb: String) { self.verb = verb }

    mutating func update(_ done: Int, of length: Int) {
        display.show { Self.text(verb: verb, done, of: length) }
    }

    mutating func clear() { display.clear() }

    static func text(verb: String, _ done: Int, of length: Int) -> String {
        guard length > 0 else { return "\(verb) \(done) bytes" }
        return "\(verb) \(done) of \(length) bytes, \(min(100 * done / length, 100)) %"
    }
}
