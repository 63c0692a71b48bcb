internal import PushCryptCore

/// An installation of an app, identified by two names.
///
/// The keyring stores only their hashes.
struct Installation: Sendable, Hashable {
    /// An identifier that doesn't migrate to another device, such as `identifierForVendor`.
    let deviceID: String
    /// A random name in a file that is deleted with the app and excluded from backups.
    let installationID: String

    /// Returns the owner that the keyring stores: the hashes of both names.
    func owner() throws(PushCryptError) -> String {
        guard !deviceID.isEmpty, !installationID.isEmpty else { throw Self.unknownDevice }
        return
            "\(try Self.hash("device", deviceID)).\(try Self.hash("installation", installationID))"
    }

    /// Returns a Boolean value that indicates whether a keyring's owner is this device, in any
    /// installation.
    func isOnSameDevice(as owner: String) throws(PushCryptError) -> Bool {
        owner.split(separator: ".").first.map(String.init) == (try Self.hash("device", deviceID))
    }

    static let unknownDevice = PushCryptError(
        .keyUnreadable,
        """
        The identifier of the device is missing. identifierForVendor is nil until the device is \
        unlocked for the first time after a restart. Register again later.
        """)

    private static func hash(_ kind: String, _ name: String) throws(PushCryptError) -> String {
        let digest = try SHA256.hash(Array("pushcrypt/v1/\(kind):\(name)".utf8))
        return Base64URL.encode(Array(digest.array.prefix(12)))
    }
}
