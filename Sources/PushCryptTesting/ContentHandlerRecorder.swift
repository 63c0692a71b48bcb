internal import Dispatch
internal import PushCryptCore
public import PushCryptReceiver

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stands in for the system's content handler, and keeps what it was called with.
public final class ContentHandlerRecorder: Sendable {
    private let recorded = LockedValue<[NotificationContent]>([])
    private let called = DispatchSemaphore(value: 0)

    /// Makes a recorder that was not called yet.
    public init() {}

    /// The handler to hand over.
    public var handler: @Sendable (NotificationContent) -> Void {
        { [self] content in
            recorded.withLock { $0.append(content) }
            called.signal()
        }
    }

    /// What the handler was called with, in order.
    public var contents: [NotificationContent] { recorded.withLock { $0 } }

    /// Waits until the handler was called once more than was waited for.
    ///
    /// - Parameter seconds: for how long to wait at the most.
    /// - Returns: the last content; `nil` where the handler was not called in time.
    public func wait(seconds: TimeInterval = 10) -> NotificationContent? {
        called.wait(timeout: .now() + seconds) == .success ? contents.last : nil
    }
}
