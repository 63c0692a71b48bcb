/// The four calls of a keychain, for generic passwords: on Apple's platforms `SystemKeychain`, in tests `TestKeychain`.
///
/// A call must be atomic among all processes; that of the system is. Secrets go through as ``SecretBytes``, which only this
/// package makes and reads: an own keychain is one that hands its calls on.
public protocol Keychain: Sendable {
    /// Adds an item (`SecItemAdd`).
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - contents: what is in it.
    /// - Returns: the status; `duplicateItem` where there is one with this name.
    func add(_ name: KeychainItemKey, _ contents: KeychainItem) -> KeychainStatus

    /// Reads an item with all that is in it (`SecItemCopyMatching`).
    ///
    /// - Parameter name: its name.
    /// - Returns: the status, and what is in the item; nothing where the status is not `success`.
    func copyMatching(_ name: KeychainItemKey) -> (status: KeychainStatus, contents: KeychainItem)

    /// Changes an item (`SecItemUpdate`).
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - generic: what its bytes `generic` must be; `nil` for whatever.
    ///   - contents: what is to be changed in it.
    /// - Returns: the status; `itemNotFound` where there is none with this name and these bytes.
    func update(_ name: KeychainItemKey, having generic: [UInt8]?, to contents: KeychainItem) -> KeychainStatus

    /// Deletes an item (`SecItemDelete`).
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - generic: what its bytes `generic` must be; `nil` for whatever.
    /// - Returns: the status; `itemNotFound` where there is none with this name and these bytes.
    func delete(_ name: KeychainItemKey, having generic: [UInt8]?) -> KeychainStatus
}
