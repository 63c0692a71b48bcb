import Foundation
import Hummingbird
import Logging
import PushCryptAPNs
import ServiceLifecycle

/// The service that sends the pushes in the outbox.
///
/// A push leaves the outbox when its answer is in the database. So a kill loses none. A push
/// without a recorded answer is sent again with the same `apns-id` and message ID, by which a
/// device with a replay guard drops the second one.
struct OutboxSender: Service {
    let store: Store
    let apns: any PushService
    let topic: String
    let state: SendingState
    let wake: Wake
    let timing: Timing
    let logger: Logger

    func run() async throws {
        try await store.endLeases()
        await state.setRunning(true)
        do {
            try await send()
        } catch {
            await state.setRunning(false)
            throw error
        }
    }

    /// Fills the free slots after each post, each delivery and each pause, until the server shuts
    /// down.
    private func send() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await poll() }
            for await _ in wake.calls.cancelOnGracefulShutdown() {
                // A delivery failed, because the database did.
                guard !group.isCancelled else { break }
                let free = await state.free(at: timing.now())
                guard free > 0 else { continue }
                let pushes = try await store.take(free, lease: timing.lease, at: timing.now())
                await state.occupy(pushes.count)
                for push in pushes { group.addTask { try await deliver(push) } }
            }
            await state.setRunning(false)
        }
    }

    private func poll() async {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                wake()
                try await Task.sleep(for: timing.poll)
            }
        }
    }

    /// Sends a push once, records the answer, and frees its slot.
    private func deliver(_ push: OutboxPush) async throws {
        defer { wake() }
        if push.expiration <= timing.now() {
            try await store.finish(push, error: "expired", at: timing.now())
        } else {
            try await attempt(push)
        }
        await state.release()
    }

    private func attempt(_ push: OutboxPush) async throws {
        let request = APNsPush(payload: push.payload, headers: headers(of: push))
        do throws(APNsError) {
            _ = try await apns.send(request, to: push.deviceToken)
        } catch {
            return try await record(error, of: push)
        }
        try await store.finish(push, at: timing.now())
    }

    /// Returns the headers of a push; a background push is known by the beginning of its payload.
    private func headers(of push: OutboxPush) -> APNsHeaders {
        let isBackground = push.payload.starts(with: #"{"aps":{"content-available":1}"#.utf8)
        var headers = APNsHeaders(isBackground ? .background : .alert, topic: topic)
        headers.expiration = .at(push.expiration)
        headers.id = push.id
        return headers
    }

    private func record(_ error: APNsError, of push: OutboxPush) async throws {
        logger.warning(
            "push not accepted", metadata: ["apns-id": "\(push.id)", "error": "\(error.code)"])
        let now = timing.now()
        if error.advice == .retry || error.advice == .checkCredentials {
            let next = now + (error.retryAfter ?? timing.delay(afterAttempts: push.attempts))
            if error.advice == .checkCredentials { await state.hold(until: next) }
            return try await store.retry(push, notBefore: min(next, push.expiration))
        }
        if error.advice == .deleteToken, let timestamp = error.timestamp {
            try await store.delete(deviceToken: push.deviceToken, invalidSince: timestamp)
        }
        try await store.finish(push, error: error.code.rawValue, at: now)
    }
}

/// The call to look into the outbox.
///
/// Several calls during one look count as one.
struct Wake: Sendable {
    let calls: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (calls, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func callAsFunction() {
        continuation.yield()
    }
}
