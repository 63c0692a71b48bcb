import Foundation
import Hummingbird
import Logging
import PushCryptAPNs
import ServiceLifecycle

/// The service that sends what is in the outbox.
///
/// A push leaves the outbox when its answer is in the database. So a kill loses none. What had no recorded answer is sent
/// again with the same `apns-id` and message ID, by which a device with a replay guard drops the second one.
struct OutboxSender: Service {
    /// The number of pushes on their way at a time.
    private static let limit = 100

    let store: Store
    let apns: any PushService
    let topic: String
    /// A value when pushes were added.
    let posted: AsyncStream<Void>
    /// The time between attempts, each of which is several of the client's.
    let pause: Duration
    let logger: Logger
    let now: @Sendable () -> Date

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var (last, running) = (Int64(0), 0)
            for await _ in posted.cancelOnGracefulShutdown() {
                while !Task.isShuttingDownGracefully {
                    let pushes = try await store.waiting(after: last, limit: Self.limit)
                    guard let newest = pushes.last else { break }
                    last = newest.sequence
                    for push in pushes {
                        if running == Self.limit { try await group.next() } else { running += 1 }
                        group.addTask { try await deliver(push) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a push until APNs accepts or rejects it, or it expires.
    private func deliver(_ push: OutboxPush) async throws {
        let request = APNsPush(
            payload: push.payload, headers: APNsHeaders(expiration: .at(push.expiration), topic: topic, id: push.id))
        while push.expiration > now() {
            do throws(APNsError) {
                _ = try await apns.send(request, to: push.deviceToken)
            } catch {
                logger.warning("push not accepted", metadata: ["apns-id": "\(push.id)", "error": "\(error.code)"])
                if error.advice == .retry || error.advice == .checkCredentials {
                    // On shutdown, the push stays in the outbox.
                    let left = push.expiration.timeIntervalSince(now())
                    guard await wait(error.retryAfter.map { .seconds(min($0, left)) } ?? pause) else { return }
                    continue
                }
                if error.advice == .deleteToken, let timestamp = error.timestamp {
                    try await store.delete(deviceToken: push.deviceToken, invalidSince: timestamp)
                }
                return try await store.finish(push, error: error.code.rawValue, at: now())
            }
            return try await store.finish(push, at: now())
        }
        try await store.finish(push, error: "expired", at: now())
    }

    /// Waits, and returns `false` if the server shuts down.
    private func wait(_ pause: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
            return true
        } catch {
            return false
        }
    }
}
