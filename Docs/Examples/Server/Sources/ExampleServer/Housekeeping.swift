import Foundation
import Logging
import ServiceLifecycle

/// The service that deletes old rows, at the start and once an hour.
struct Housekeeping: Service {
    let store: Store
    let timing: Timing
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await tidy()
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.error(
                        "Old rows weren't deleted. Check the database.",
                        metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: timing.tidying)
            }
        }
    }

    /// Deletes old rows in small transactions.
    func tidy() async throws {
        let now = timing.now()
        while try await store.forget(finishedBefore: now - Limits.memory) == Limits.rows {
            try Task.checkCancellation()
        }
        while try await store.forget(challengedBefore: now - Limits.challengeLifetime)
            == Limits.rows
        {
            try Task.checkCancellation()
        }
        while try await store.expire(registeredBefore: now - Limits.renewal, at: now) == Limits.rows
        {
            try Task.checkCancellation()
        }
    }
}
