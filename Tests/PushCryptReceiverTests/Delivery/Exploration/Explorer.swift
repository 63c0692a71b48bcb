/// A search through all steps of a system in each order.
///
/// A system is a value that returns its next steps. The explorer takes each step from each
/// reachable state, and checks each state. It visits a state once, but counts all paths through it,
/// so the number of orders is exact.
struct Explorer<World: ExploredWorld> {
    /// The number of different states.
    private(set) var states = 0

    /// The number of steps between states.
    private(set) var steps = 0

    /// The number of states without next steps.
    private(set) var ends = 0

    /// The number of orders from the start to an end.
    private(set) var orders = 0.0

    private var known: [World: Double] = [:]

    /// Explores all states from a start.
    ///
    /// - Throws: The error of a state's check.
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

/// A system to explore, without steps back to an earlier state.
protocol ExploredWorld: Hashable {
    associatedtype Step

    /// The possible next steps.
    var steps: [Step] { get }

    /// Takes a step.
    mutating func take(_ step: Step) throws

    /// Throws if the state is wrong.
    func check() throws

    /// Throws if the state is wrong at the end.
    func checkEnd() throws
}
