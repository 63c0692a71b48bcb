/// Everything that may happen, in every order.
///
/// A system is a value that says which steps may come next. The explorer takes each of them from each state that can be
/// reached, and looks at every state. States that were seen before are not gone through again, but their ways are counted:
/// so the number of orders is exact, though most of them share their states.
struct Explorer<World: ExploredWorld> {
    /// How many different states there are.
    private(set) var states = 0

    /// How many steps lead from one to another.
    private(set) var steps = 0

    /// How many states end it: nothing may come any more.
    private(set) var ends = 0

    /// How many orders lead from the start to an end.
    private(set) var orders = 0.0

    private var known: [World: Double] = [:]

    /// Goes through everything that can come of a state.
    ///
    /// - Throws: what a check of a state throws.
    init(_ start: World) throws {
        orders = try waysOn(from: start)
        states = known.count
    }

    private mutating func waysOn(from world: World) throws -> Double {
        if let ways = known[world] { return ways }
        try world.check()
        let next = world.steps
        var ways = 0.0
        if next.isEmpty {
            try world.checkEnd()
            ends += 1
            ways = 1
        }
        for step in next {
            var after = world
            try after.take(step)
            steps += 1
            ways += try waysOn(from: after)
        }
        known[world] = ways
        return ways
    }
}

/// A system to explore: no step may lead back to a state that was there before.
protocol ExploredWorld: Hashable {
    associatedtype Step

    /// What may happen next.
    var steps: [Step] { get }

    /// Lets one of these happen.
    mutating func take(_ step: Step) throws

    /// Throws where something is wrong now.
    func check() throws

    /// Throws where something is wrong when nothing may happen any more.
    func checkEnd() throws
}
