internal import Dispatch
public import Foundation
internal import PushCryptCore
public import PushCryptReceiver
internal import PushCryptSystem

/// A content handler that records its calls.
///
/// ```swift
/// let recorder = ContentHandlerRecorder()
/// inbox.handle(try DeliveredNotification(json: json), handler: recorder.handler)
/// let body = recorder.wait()?.body
/// ```
public final class ContentHandlerRecorder: Sendable {
    private let recorded = LockedValue<[NotificationContent]>([])
    private let called = DispatchSemaphore(value: 0)

    /// Creates a recorder without calls.
    public init() {}

    /// The content handler.
    public var handler: @Sendable (NotificationContent) -> Void {
        { [self] content in
            recorded.withLock { $0.append(content) }
            called.signal()
        }
    }

    /// The content of each call, in order.
    public var contents: [NotificationContent] { recorded.withLock { $0 } }

    /// Waits for the next call, and returns the last content; `nil` after the timeout in seconds.
    public func wait(seconds: TimeInterval = 10) -> NotificationContent? {
        called.wait(timeout: .now() + seconds) == .success ? contents.last : nil
    }
}
