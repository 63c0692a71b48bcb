import UIKit

/// A background task that ends once: with the work, or when the system's time expires.
@MainActor final class BackgroundTask {
    private var identifier = UIBackgroundTaskIdentifier.invalid

    func begin(cancelling cancel: @escaping @MainActor @Sendable () -> Void) {
        identifier = UIApplication.shared.beginBackgroundTask { [self] in
            cancel()
            end()
        }
    }

    func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
