internal import Foundation
internal import PushCryptReceiver

#if canImport(UIKit) && !os(watchOS)
internal import UIKit
#elseif canImport(AppKit)
internal import AppKit
#endif

/// The times at which the inbox catches up.
enum AppActivity {
    /// The system's announcements that the app becomes active, and that the device is unlocked.
    ///
    /// Source: Apple, `UIApplication` and `NSApplication`. Apps with scenes, such as SwiftUI apps,
    /// get them, too.
    private static var announcements: [Notification.Name] {
        #if canImport(UIKit) && !os(watchOS)
        [
            UIApplication.didBecomeActiveNotification,
            UIApplication.protectedDataDidBecomeAvailableNotification,
        ]
        #elseif canImport(AppKit)
        [NSApplication.didBecomeActiveNotification]
        #else
        []
        #endif
    }

    /// Has an inbox catch up at each announcement, as long as the app keeps it.
    static func follow(_ inbox: PushInbox) {
        for name in announcements {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                [weak inbox] _ in
                Task { [inbox] in await inbox?.catchUp() }
            }
        }
    }
}
