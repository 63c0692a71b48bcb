/// The pushes without an answer: those in flight, those that wait for the server, and those that
/// may have been lost.
struct PushWindow {
    private var pushes: [Int: OpenPush] = [:]
    /// The number of pushes that the client has.
    private(set) var inFlight = 0
    /// The numbers of the lines whose pushes are sent again, as soon as the server can be reached.
    private var waiting: [Int] = []
    /// The numbers of the lines whose pushes got no answer, although no other sign of an outage is
    /// known.
    private(set) var doubtful: [Int] = []

    /// The number of all pushes.
    var count: Int { pushes.count }
    var hasWaiting: Bool { !waiting.isEmpty }

    /// The pushes in the order of their lines.
    var all: [OpenPush] { pushes.values.sorted { $0.number < $1.number } }

    /// The reason why the first doubtful push got no answer; `nil` without one.
    var firstDoubt: PushFailure? { doubtful.first.flatMap { pushes[$0]?.failure } }

    func isInFlight(_ number: Int) -> Bool {
        pushes[number] != nil && !waiting.contains(number) && !doubtful.contains(number)
    }

    /// Adds a push, or takes one that has waited, for the client.
    mutating func send(_ push: OpenPush) {
        // A push that is sent again is in the journal.
        var push = push
        push.isRecorded = true
        pushes[push.number] = push
        inFlight += 1
    }

    /// Removes a push that has its answer.
    mutating func remove(_ number: Int) -> OpenPush? {
        guard let push = pushes.removeValue(forKey: number) else { return nil }
        inFlight -= 1
        return push
    }

    /// Keeps a push that waits for the server.
    mutating func keep(_ number: Int, after failure: PushFailure) {
        guard note(failure, of: number) else { return }
        waiting.append(number)
    }

    /// Keeps a push that got no answer.
    mutating func doubt(_ number: Int, after failure: PushFailure) {
        guard note(failure, of: number) else { return }
        doubtful.append(number)
        pushes[number]?.silences += 1
    }

    private mutating func note(_ failure: PushFailure, of number: Int) -> Bool {
        guard pushes[number] != nil else { return false }
        inFlight -= 1
        pushes[number]?.failure = failure
        if failure.mayBeAccepted { pushes[number]?.mayBeAccepted = true }
        return true
    }

    /// Lets the doubtful pushes wait for the server.
    mutating func keepDoubtful() {
        waiting += doubtful
        doubtful = []
    }

    /// Removes the doubtful pushes that a condition names.
    mutating func removeDoubtful(where isRemoved: (OpenPush) -> Bool) -> [OpenPush] {
        let removed = doubtful.sorted().compactMap { pushes[$0] }.filter(isRemoved)
        for push in removed { pushes[push.number] = nil }
        doubtful.removeAll { pushes[$0] == nil }
        return removed
    }

    /// Takes the first pushes that wait, in the order of their lines.
    mutating func takeWaiting(atMost count: Int = .max) -> [OpenPush] {
        waiting.sort()
        let taken = waiting.prefix(count)
        waiting.removeFirst(taken.count)
        return taken.compactMap { pushes[$0] }
    }
}
