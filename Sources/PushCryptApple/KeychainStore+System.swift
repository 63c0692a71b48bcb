public import PushCryptReceiver

extension KeychainStore {
    /// Names an item of the system's keychain.
    ///
    /// Nothing is read yet.
    ///
    /// - Parameters:
    ///   - accessGroup: the group that app and extension share, with the team's id in front, as in
    ///     `ABCDE12345.com.example.shared`. Both targets need the capability Keychain Sharing with it.
    ///   - service: the item's service.
    ///   - account: the item's account; an app with several accounts has a keyring for each.
    public init(accessGroup: String, service: String = "pushcrypt", account: String = "device-keyring") {
        self.init(SystemKeychain(), accessGroup: accessGroup, service: service, account: account)
    }
}
