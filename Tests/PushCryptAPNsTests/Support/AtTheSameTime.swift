#if APNs
/// Runs a test for all cases at the same time, because each of them waits for seconds.
func atTheSameTime<Case: Sendable>(
    _ cases: [Case], _ test: @Sendable @escaping (Case) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for one in cases { group.addTask { try await test(one) } }
        try await group.waitForAll()
    }
}
#endif
