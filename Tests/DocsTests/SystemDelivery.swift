import Foundation
import PushCryptSystem
import PushCryptTesting
import Testing
import UserNotifications

/// The part of the system between APNs and the app.
enum SystemDelivery {
    /// Returns a payload as the system hands it over.
    static func userInfo(_ json: some Sequence<UInt8>) throws -> [AnyHashable: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    /// Returns a request for an extension.
    static func request(_ userInfo: [AnyHashable: Any], identifier: String = "1")
        -> UNNotificationRequest
    {
        let content = UNMutableNotificationContent()
        content.body = "(Encrypted)"
        content.userInfo = userInfo
        #if canImport(Darwin)
        return UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        #else
        return UNNotificationRequest(
            identifier: identifier, content: content, trigger: UNPushNotificationTrigger())
        #endif
    }

    /// Returns the content that an extension hands over for a request.
    static func content(
        _ request: UNNotificationRequest,
        from handle: (UNNotificationRequest, @escaping @Sendable (UNNotificationContent) -> Void) ->
            Void
    ) throws -> UNNotificationContent {
        struct HandedOver: @unchecked Sendable { let content: UNNotificationContent }
        let result = LockedValue<HandedOver?>(nil)
        let done = DispatchSemaphore(value: 0)
        handle(request) { handedOver in
            let handedOver = HandedOver(content: handedOver)
            result.withLock { $0 = handedOver }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 300) == .success)
        return try #require(result.withLock { $0 }).content
    }

    // Only stand-ins of notifications can be created by a test.
    #if !canImport(Darwin)
    /// Returns the notification that the system shows after the extension has run.
    static func notification(
        _ request: UNNotificationRequest,
        from handle: (UNNotificationRequest, @escaping @Sendable (UNNotificationContent) -> Void) ->
            Void
    ) throws -> UNNotification {
        let content = try content(request, from: handle)
        return UNNotification(
            date: Date(),
            request: UNNotificationRequest(
                identifier: request.identifier, content: content, trigger: request.trigger))
    }
    #endif
}

/// Waits for another thread.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<6000 where !condition() { usleep(50_000) }
    return condition()
}

/// Waits while the main actor does other work.
@MainActor func eventuallyOnMain(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<60_000 where !condition() { try? await Task.sleep(nanoseconds: 5_000_000) }
    return condition()
}
