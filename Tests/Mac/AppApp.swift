import SwiftUI

/// The app of the example, as step 10 of Docs/Xcode.md changes Xcode's template.
@main struct AppApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup { Text("PushCrypt") }
    }
}
