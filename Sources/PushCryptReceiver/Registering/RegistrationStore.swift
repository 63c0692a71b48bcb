internal import PushCryptCore
internal import PushCryptSystem

/// The stored state of an account: its record in a file that backups must exclude, and its keyring
/// in a store.
struct RegistrationStore: Sendable {
    let keys: any KeyringStore
    /// The path of the record.
    let path: String

    /// Changes the record and the keyring as one, while the record is locked.
    ///
    /// The record is stored first: the name of a new installation before a keyring that belongs to
    /// it, and that the server has to be asked before the keys that it doesn't know. Only a
    /// confirmation is stored last. So the device registers again at the next launch if the app
    /// ends in between.
    ///
    /// - Parameter step: The change, which may be called again on a keyring that another process
    ///   has stored. If it throws, nothing is stored.
    /// - Returns: The result of the last call.
    /// - Throws: What `step` throws, `keyUnreadable` if the keyring can't be read or stored,
    ///   `newerFormat`, or a file error.
    func update<Result>(
        _ step: (inout RegistrationRecord, inout DeviceKeyring?) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        try SecretFile(path).withLock { () throws(PushCryptError) in
            let stored = try readIfPresent()
            let before: RegistrationRecord
            if let stored { before = stored } else { before = try .new() }
            var record = before
            let result = try keys.changing { (keyring) throws(PushCryptError) in
                record = before
                let result = try step(&record, &keyring)
                // A confirmation follows the keyring. Only a new installation's name precedes it.
                let first = record.confirmed == nil ? record : before
                if first != stored { try write(first) }
                return result
            }
            if record.confirmed != nil, record != before { try write(record) }
            return result
        }
    }

    /// Returns the record, without creating it.
    func record() throws(PushCryptError) -> RegistrationRecord? {
        try SecretFile(path).withLock { () throws(PushCryptError) in try readIfPresent() }
    }

    /// Returns the keyring; `nil` only if it certainly doesn't exist.
    func keyring() throws(PushCryptError) -> DeviceKeyring? {
        do {
            return try keys.keyring()
        } catch {
            throw .keyUnreadable("read", error)
        }
    }

    /// Reads a key back before the server gets it.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey` if the keyring was deleted meanwhile, or
    ///   `keyUnreadable` if the store doesn't return what was stored in it.
    func checkStored(_ id: KeyID) throws(PushCryptError) {
        guard let ring = try keyring() else { throw KeyRotation.noKeys }
        guard ring.keyring.keys.contains(where: { $0.publicKey.keyID == id }) else {
            throw PushCryptError(
                .keyUnreadable,
                "The store doesn't return the key that was stored in it. Fix the store.")
        }
    }

    /// Deletes the keyring and the record.
    func delete() throws(PushCryptError) {
        do {
            try keys.deleteKeyring()
        } catch {
            throw .keyUnreadable("deleted", error)
        }
        try SecretFile(path).delete()
    }

    // MARK: The two parts

    private func readIfPresent() throws(PushCryptError) -> RegistrationRecord? {
        let file = try SecretFile(path).readIfPresent()
        return try file?.withSpan { (bytes) throws(PushCryptError) in
            try RegistrationRecord(parsing: [UInt8](copying: bytes))
        }
    }

    private func write(_ record: RegistrationRecord) throws(PushCryptError) {
        try OutputFile.write(record.json, to: path, isPrivate: true)
    }
}

extension KeyringStore {
    /// Changes the keyring, and keeps the errors of the change apart from the store's own.
    ///
    /// - Throws: What `change` throws, or `keyUnreadable` if the keyring can't be read or stored.
    @discardableResult
    func changing<Result>(
        _ change: (inout DeviceKeyring?) throws(PushCryptError) -> Result
    ) throws(PushCryptError) -> Result {
        var rejected: PushCryptError?
        var result: Result?
        do {
            try update { (keyring) throws(PushCryptError) in
                // The store may repeat the change, and only the last call counts.
                rejected = nil
                do throws(PushCryptError) {
                    result = try change(&keyring)
                } catch {
                    rejected = error
                    throw error
                }
            }
        } catch {
            throw rejected ?? .keyUnreadable("read or written", error)
        }
        guard let result else {
            throw PushCryptError(
                .keyUnreadable, "The store hasn't updated the keys. Fix the store.")
        }
        return result
    }
}
