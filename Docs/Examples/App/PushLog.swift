import Foundation

#if canImport(os)
import os
#endif

/// Writes to the system's log, which Console shows without a debugger; `print` is lost there.
///
/// The subsystem is the bundle ID. The text is public, so it must not contain content or keys.
nonisolated func pushLog(_ text: String) {
    #if canImport(os)
    Logger(subsystem: Bundle.main.bundleIdentifier ?? "push", category: "push").notice("\(text, privacy: .public)")
    #else
    print(text)
    #endif
}
