public import Foundation
internal import PushCryptCore
internal import PushCryptKeyring

/// The settings of a device's registration with the app's server.
public struct RegistrationSettings: Sendable {
    /// Returns an identifier of the device that doesn't migrate to another one, such as
    /// `identifierForVendor`; `nil` until the device is unlocked for the first time after a
    /// restart.
    ///
    /// On iOS and watchOS, `PushConfiguration.infoPlist` sets it.
    public var deviceID: @Sendable () async -> String? = { nil }

    /// Returns the path of an existing directory for the state of an account's registration, by the
    /// account's name.
    ///
    /// It's deleted with the app and excluded from backups. No two accounts share one.
    public var directory: @Sendable (_ account: String) throws -> String = { _ in
        throw PushCryptError(
            .invalidConfiguration,
            "The directory of the registration is missing. Set registration.directory.")
    }

    /// The age, in seconds, that a key doesn't exceed if the app is opened daily; from an hour to a
    /// year, 7 days by default.
    public var rotationAge: TimeInterval = 7 * 24 * 3600

    /// The longest lifetime of pushes to new keys, in seconds, up to 30 days; 7 days by default.
    ///
    /// A retired key is destroyed after its lifetime and 48 hours. Existing keys keep theirs.
    public var lifetime: TimeInterval = 7 * 24 * 3600

    /// Creates the default settings.
    public init() {}

    /// Creates the settings of a program with one account.
    ///
    /// - Parameters:
    ///   - deviceID: An identifier that doesn't migrate to another device.
    ///   - directory: The path of an existing directory that is deleted with the program and
    ///     excluded from backups.
    public init(deviceID: String, directory: String) {
        self.deviceID = { deviceID }
        self.directory = { _ in directory }
    }

    func check() throws(PushCryptError) {
        _ = try KeyLifetime.seconds(lifetime)
        try KeyLifetime.check(rotationAge: rotationAge)
    }
}
