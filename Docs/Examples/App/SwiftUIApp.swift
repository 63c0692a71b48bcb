// For SwiftUI: write @main before the structure, or copy its first line into the structure that has
// it already.
#if canImport(SwiftUI)
import SwiftUI

@MainActor struct SwiftUIApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    var body: some Scene { WindowGroup { Text("PushCrypt") } }
}
#endif
