public import Foundation
public import PushCryptReceiver

extension DeviceRegistrar {
    /// Creates a registrar with its state in the app's Application Support directory, excluded from backups.
    ///
    /// ```swift
    /// // On iOS, the vendor is UIDevice.current.identifierForVendor.
    /// let registrar = try DeviceRegistrar(store: KeychainStore(), vendor: UUID())
    /// ```
    ///
    /// An app with several accounts creates a registrar for each, with a store and a `directoryName` of its own.
    ///
    /// - Parameters:
    ///   - store: The store of the device's keys: a `KeychainStore`, or a `KeyringFileStore` in the app group.
    ///   - vendor: `UIDevice.current.identifierForVendor`. It's `nil` until the device is unlocked for the first time
    ///     after a restart; until then, registering throws `keyUnreadable`.
    ///   - account: The server's permanent name of the signed-in user, which a proof binds. The registrar registers
    ///     again when it changes.
    ///   - senderPolicy: The account's policy; by default the keys in the Info.plist's `PushCryptServerKey`.
    ///   - directoryName: The name of the directory with the registrar's state. Two registrars must not share one.
    ///   - rotationAge: The age, in seconds, that a key doesn't exceed if the app is opened daily; 7 days by default.
    ///   - lifetime: The longest lifetime of pushes to new keys, in seconds, up to 30 days; 7 days by default.
    ///   - challenges: The visible challenges that the extension has opened, ``SharedState/challenges``.
    ///   - carrier: The service that delivers the app's pushes, and has issued the token; by default the Info.plist's
    ///     `PushCryptCarrier`, or APNs.
    /// - Throws: An error of Foundation if the directory can't be created.
    public init(
        store: any KeyringStore, vendor: UUID?, account: String = "", senderPolicy: SenderPolicy = .infoPlist,
        directoryName: String = "PushCrypt",
        rotationAge: TimeInterval = 7 * 24 * 3600, lifetime: TimeInterval = 7 * 24 * 3600,
        challenges: StoredChallenges? = nil,
        carrier: Carrier = .infoPlist
    ) throws {
        self.init(
            store: store, deviceID: vendor?.uuidString, directory: try Self.directory(directoryName), account: account,
            senderPolicy: senderPolicy, rotationAge: rotationAge, lifetime: lifetime, challenges: challenges,
            carrier: carrier)
    }

    private static func directory(_ name: String) throws -> String {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        // On a Mac, apps without a sandbox share that directory.
        let own = Bundle.main.bundleIdentifier.map { support.appendingPathComponent($0, isDirectory: true) } ?? support
        var directory = own.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // The directory, because each update replaces the file.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        return directory.path
    }
}
