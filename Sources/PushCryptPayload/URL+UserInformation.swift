package import PushCryptFoundation

extension URL {
    /// A Boolean value that indicates whether the address has a user or a password, even an empty
    /// one.
    ///
    /// A download would send them to the host. Foundation's `user` is `nil` for an empty one on
    /// some systems.
    package var hasUserInformation: Bool {
        let parts = absoluteString.split(
            separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { return false }
        return parts[2].prefix { $0 != "?" && $0 != "#" }.contains("@")
    }
}
