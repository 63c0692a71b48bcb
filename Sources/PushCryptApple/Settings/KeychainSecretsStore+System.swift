public import PushCryptReceiver

extension KeychainSecretsStore {
    /// Creates a store for an item of the group in the Info.plist's `PushCryptKeychainGroup`,
    /// without reading it.
    ///
    /// If it's missing or invalid, each call throws `invalidConfiguration`. An app has one item for
    /// all of its accounts. By default, the service is the name of the app.
    public init(service: String? = nil, account: String = "device-secrets") {
        self.init(InfoPlist(), service: service, account: account)
    }

    init(_ infoPlist: InfoPlist, service: String? = nil, account: String = "device-secrets") {
        let group = infoPlist.keychainGroup
        self.init(accessGroup: (try? group.get()) ?? "", service: service, account: account)
        if case .failure(let error) = group { failure = error }
    }

    /// Creates a store for an item of a keychain group, which begins with the App ID prefix,
    /// without reading it.
    public init(accessGroup: String, service: String? = nil, account: String = "device-secrets") {
        self.init(
            SystemKeychain(), accessGroup: accessGroup,
            service: service ?? ContainingApp.keychainService,
            account: account)
    }
}
