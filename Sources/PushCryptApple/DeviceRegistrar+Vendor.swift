public import Foundation
public import PushCryptReceiver

extension DeviceRegistrar {
    /// The registrar of an app, which keeps its notes in the app's own Application Support folder, excluded from backups.
    ///
    /// An app with several keyrings at once gives each registrar a folder of its own instead.
    ///
    /// - Parameters:
    ///   - store: where the keys are: a `KeychainStore`, or a `KeyringFileStore` in the app group.
    ///   - vendor: `UIDevice.current.identifierForVendor`; `nil` after a restart until the device is unlocked for the first
    ///     time, and then registering says `key-unreadable`, and the app registers later.
    ///   - account: who is signed in, by any name that stays; when that is somebody else, the server is asked anew.
    ///   - rotationAge: after how many seconds a key is replaced; 90 days by default.
    /// - Throws: what Foundation throws where the folder cannot be made.
    public init(
        store: any KeyringStore, vendor: UUID?, account: String = "", rotationAge: TimeInterval = 90 * 24 * 3600
    ) throws {
        self.init(
            store: store, device: vendor?.uuidString, folder: try RegistrationStateDirectory.path(), account: account,
            rotationAge: rotationAge)
    }
}

/// Where an app keeps its notes.
private enum RegistrationStateDirectory {
    static func path() throws -> String {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        // On a Mac, apps without a sandbox share that folder.
        let own = Bundle.main.bundleIdentifier.map { support.appendingPathComponent($0, isDirectory: true) } ?? support
        var folder = own.appendingPathComponent("PushCrypt", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder, not the file: the file is replaced with each change, and the mark would be lost.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        return folder.path
    }
}
