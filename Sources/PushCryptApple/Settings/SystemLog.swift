internal import PushCryptReceiver

#if canImport(os)
internal import os
#endif

/// The system's log, which gets the failures.
///
/// They contain neither content nor keys.
enum SystemLog {
    static func write(_ event: PushEvent) {
        #if canImport(os)
        guard let failure = event.failure?.description else { return }
        Logger(subsystem: "PushCrypt", category: "notifications").error(
            "\(failure, privacy: .public)")
        #endif
    }
}
