import Foundation

#if canImport(os)
import os
#endif

/// Writes to the system's log, which Console shows without a debugger; `print` is lost there.
///
/// The text is public, so it must not contain content or keys.
nonisolated func pushLog(_ text: String) {
    #if canImport(os)
    Logger(subsystem: "com.example.app", category: "push").notice("\(text, privacy: .public)")
    #else
    print(text)
    #endif
}
