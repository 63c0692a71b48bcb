/// The answer to a line, and the number of the line.
struct NumberedAnswer: Sendable {
    let number: Int
    let answer: LineAnswer
}

/// The answers that aren't written yet.
///
/// In the order of the lines, an answer waits for those to all earlier lines.
struct AnswerQueue {
    private let keepsOrder: Bool
    /// The number of the first line whose answer is missing, if the order is kept.
    private var next: Int
    private var waiting: [Int: LineAnswer] = [:]
    /// The answers whose turn it is.
    private var ready: [LineAnswer] = []
    /// The numbers of the lines whose answers have begun to wait since the last call for them.
    private var added: [Int] = []
    /// The size in memory of the waiting answers in bytes.
    private(set) var size = 0

    /// The size in memory of an answer beside its bytes.
    private static let overhead = 128

    /// Creates a queue after a number of lines whose answers are written, with answers of an
    /// earlier run.
    init(keepsOrder: Bool, after count: Int, _ waiting: [Int: LineAnswer] = [:]) {
        self.keepsOrder = keepsOrder
        next = count + 1
        for (number, answer) in waiting { add(answer, to: number) }
        added = []
    }

    /// The answers that wait, in the order of their lines.
    var allWaiting: [NumberedAnswer] {
        waiting.sorted { $0.key < $1.key }
            .map { NumberedAnswer(number: $0.key, answer: $0.value) }
    }

    mutating func add(_ answer: LineAnswer, to number: Int) {
        guard keepsOrder else { return ready.append(answer) }
        guard number == next else {
            size += answer.bytes.count + Self.overhead
            waiting[number] = answer
            return added.append(number)
        }
        ready.append(answer)
        next += 1
        while let answer = waiting.removeValue(forKey: next) {
            size -= answer.bytes.count + Self.overhead
            ready.append(answer)
            next += 1
        }
    }

    /// Returns the answers whose turn it is, and forgets them.
    mutating func takeReady() -> [LineAnswer] {
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    /// Returns the answers that wait since the last call.
    mutating func takeNewWaiting() -> [NumberedAnswer] {
        defer { added.removeAll(keepingCapacity: true) }
        return added.compactMap { number in
            waiting[number].map { NumberedAnswer(number: number, answer: $0) }
        }
    }
}
