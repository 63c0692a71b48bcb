public import PushCryptCore
public import PushCryptFoundation
internal import PushCryptSystem

/// A file with the list of accepted keys that a server hands out.
///
/// ```swift
/// func announce(
///     _ keyring: SigningKeyringFile, to path: String, root: SigningKeyring
/// ) throws -> String {
///     let file = SignerListFile(path: path)
///     let now = SystemTime().now
///     let change = try file.announce(by: root, at: now) { () throws(PushCryptError) in
///         try keyring.read().keys.map(\.publicKey)
///     }
///     return change.list.text
/// }
/// ```
public struct SignerListFile: Sendable {
    /// A new list, and the one that it replaces.
    public struct Change: Sendable, Hashable {
        /// The new list.
        public let list: SignerList

        /// The last list of the root; `nil` if the new list is its first one.
        public let last: SignerList?

        /// The keys that devices accept from the new list on; all keys if it is the first one.
        public var added: [VerificationKey] { list.keys.filter { last?.keys.contains($0) != true } }

        /// The keys that devices no longer accept with the new list.
        public var removed: [VerificationKey] {
            (last?.keys ?? []).filter { !list.keys.contains($0) }
        }

        /// Creates a change.
        public init(list: SignerList, after last: SignerList?) {
            self.list = list
            self.last = last
        }
    }

    /// The path of the file.
    public let path: String

    /// Creates a description of a file without opening it.
    ///
    /// - Parameter path: The path of the file, in an existing directory. Its lock is beside it,
    ///   `path.lock`.
    public init(path: String) {
        self.path = path
    }

    /// Reads and verifies the list, or returns `nil` if the file doesn't exist.
    ///
    /// - Parameter roots: The public keys of the roots, one of which must have signed the list.
    /// - Returns: The list.
    /// - Throws: ``PushCryptError`` with `insecureFile` or `fileSystemError`, or as
    ///   ``SignerList/init(verifying:roots:)`` does.
    public func readIfPresent(roots: [VerificationKey]) throws(PushCryptError) -> SignerList? {
        guard let file = try SecretFile(path).readIfPresent(isPrivate: false) else { return nil }
        do throws(PushCryptError) {
            return try file.withSpan { (bytes) throws(PushCryptError) in
                try SignerList(verifying: [UInt8](copying: bytes), roots: roots)
            }
        } catch {
            throw PushCryptError(error.code, "\(path): \(error.reason)")
        }
    }

    /// Signs a list after the last one in the file, and replaces it atomically.
    ///
    /// The file is locked, so that a list which is announced at the same time can't have a key that
    /// was just revoked.
    ///
    /// - Parameters:
    ///   - root: The keyring of the root.
    ///   - now: The current time, from which the list gets its number.
    ///   - terms: The terms of the list.
    ///   - given: Another last list, which counts if its number is higher.
    ///   - keys: The closure that reads the keys of the server's keyring, which runs while the file
    ///     is locked.
    /// - Returns: The new list and the last one.
    /// - Throws: ``PushCryptError`` as ``Keyring/signerList(of:after:at:terms:)`` and
    ///   ``readIfPresent(roots:)`` do, or the error of `keys`; the file is then unchanged.
    @discardableResult
    public func announce(
        by root: SigningKeyring, at now: Date, terms: SignerListTerms = .init(),
        following given: SignerList? = nil,
        keys: () throws(PushCryptError) -> [VerificationKey]
    ) throws(PushCryptError) -> Change {
        try SecretFile(path).withLock(isPrivate: false) { () throws(PushCryptError) in
            let lists = [try last(of: root), given].compactMap(\.self)
            let last = lists.max { $0.number < $1.number }
            let list = try root.signerList(of: keys(), after: last, at: now, terms: terms)
            try OutputFile.write(Array((list.text + "\n").utf8), to: path, isPrivate: false)
            return Change(list: list, after: last)
        }
    }

    private func last(of root: SigningKeyring) throws(PushCryptError) -> SignerList? {
        do throws(PushCryptError) {
            return try readIfPresent(roots: root.keys.map(\.publicKey))
        } catch {
            guard error.code == .unknownRoot else { throw error }
            throw PushCryptError(
                .unknownRoot,
                """
                \(path): Its list is signed by another root. Give the keyring of that root, or \
                another file for the first list of this one.
                """)
        }
    }
}
