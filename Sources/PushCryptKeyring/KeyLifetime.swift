#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How long a key that is no longer in use is kept.
public enum KeyLifetime {
    /// 30 days and 48 hours, in seconds.
    ///
    /// APNs stores a notification for up to 30 days
    /// (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns); 48 hours are for
    /// clocks that differ. The same limits are in the receiver's check of a message's age.
    public static let afterRetirement: TimeInterval = (30 * 24 + 48) * 3600
}

extension Keyring.RetiredEntry {
    /// Until when the key opens: from then on it is due to be destroyed.
    public var expiration: Date { retired.addingTimeInterval(KeyLifetime.afterRetirement) }
}
