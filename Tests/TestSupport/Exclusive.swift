public import Testing

extension Trait where Self == Exclusive {
    /// Runs a test while no other test with the same name of a resource runs, in any suite.
    public static func exclusive(_ resource: String) -> Self { Exclusive(resource: resource) }
}

/// A trait for tests that use one object of the process, such as the notification center.
public struct Exclusive: SuiteTrait, TestTrait, TestScoping {
    let resource: String

    /// A Boolean value that indicates whether the tests of a suite inherit the trait.
    public let isRecursive = true

    /// Runs a test case after those that use the resource.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite as a whole would wait for its own tests.
        guard testCase != nil else { return try await function() }
        await Turns.shared.begin(resource)
        do {
            try await function()
        } catch {
            await Turns.shared.end(resource)
            throw error
        }
        await Turns.shared.end(resource)
    }
}

/// The turns of tests that wait for each other.
private actor Turns {
    static let shared = Turns()

    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func begin(_ resource: String) async {
        guard !busy.insert(resource).inserted else { return }
        await withCheckedContinuation { waiting[resource, default: []].append($0) }
    }

    func end(_ resource: String) {
        var queue = waiting[resource] ?? []
        guard !queue.isEmpty else {
            busy.remove(resource)
            return
        }
        let next = queue.removeFirst()
        waiting[resource] = queue
        next.resume()
    }
}
