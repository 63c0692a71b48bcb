internal import PushCryptCore

/// Which installation of an app this is, by two names that the app has at hand.
///
/// They tell a reinstalled app from a restored one. Both names are kept as hashes only.
public struct Installation: Sendable, Hashable {
    /// A name of the device that does not travel to another one with a backup, such as `identifierForVendor`.
    ///
    /// It must not be empty: that property is nil after a restart until the device is unlocked for the first time.
    public let device: String

    /// A name that the app makes up when it is first started, and keeps in a file that goes with the app and is not backed
    /// up.
    public let installation: String

    /// Names an installation.
    ///
    /// - Parameters:
    ///   - device: a name of the device.
    ///   - installation: a name of this installation on it.
    public init(device: String, installation: String) {
        self.device = device
        self.installation = installation
    }

    /// What is noted in the keyring: the hashes of both names.
    func owner() throws(PushCryptError) -> String {
        guard !device.isEmpty, !installation.isEmpty else {
            throw PushCryptError(
                .keyUnreadable,
                """
                A name of the installation is empty, so nobody can say whose the keys are. identifierForVendor is nil until \
                the device is unlocked for the first time: start again later.
                """)
        }
        return "\(try Self.hash("device", device)).\(try Self.hash("installation", installation))"
    }

    /// Whether a note in a keyring is of this device, whatever the installation.
    func isOnSameDevice(as owner: String) throws(PushCryptError) -> Bool {
        owner.split(separator: ".").first.map(String.init) == (try Self.hash("device", device))
    }

    private static func hash(_ kind: String, _ name: String) throws(PushCryptError) -> String {
        let digest = try SHA256.hash(Array("pushcrypt/v1/\(kind):\(name)".utf8))
        return Base64URL.encode(Array(digest.array.prefix(12)))
    }
}
