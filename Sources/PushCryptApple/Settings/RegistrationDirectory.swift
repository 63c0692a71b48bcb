internal import Foundation
internal import PushCryptReceiver

#if os(iOS) || os(visionOS)
internal import UIKit
#elseif os(watchOS)
internal import WatchKit
#endif

/// The device's identifier, and the directories with the state of its registrations.
enum RegistrationDirectory {
    /// Returns the system's identifier for the vendor; `nil` until the device is unlocked for the
    /// first time after a restart, and on a Mac, which has none.
    static func vendor() async -> String? {
        #if os(iOS) || os(visionOS)
        await MainActor.run { UIDevice.current.identifierForVendor?.uuidString }
        #elseif os(watchOS)
        await MainActor.run { WKInterfaceDevice.current().identifierForVendor?.uuidString }
        #else
        nil
        #endif
    }

    /// Returns an account's directory in the app's Application Support, excluded from backups.
    static func path(ofAccount account: String) throws -> String {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil,
            create: true)
        // On a Mac, apps without a sandbox share that directory.
        let own =
            Bundle.main.bundleIdentifier.map {
                support.appendingPathComponent($0, isDirectory: true)
            } ?? support
        // Any name is a valid directory in this form.
        let suffix = account.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
        let name = account.isEmpty ? "PushCrypt" : "PushCrypt-\(suffix.prefix(200))"
        var directory = own.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // The directory, because each update replaces the file.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        return directory.path
    }
}
