internal import PushCryptCore
internal import PushCryptSystem

/// The stored state of an account: its record in a file that backups must exclude, and its keyring in a store.
struct RegistrationStore: Sendable {
    let keys: any KeyringStore
    /// The path of the record.
    let path: String

    /// Changes the record and the keyring as one, while the record is locked.
    ///
    /// The keyring is stored first. If the app ends in between, the device registers again at the next launch. The name
    /// of a new installation is stored before a keyring that belongs to it.
    ///
    /// - Parameter step: The change, which may be called again on a keyring that another process has stored. If it
    ///   throws, nothing is stored.
    /// - Returns: The result of the last call.
    /// - Throws: What `step` throws, `keyUnreadable` if the keyring can't be read or stored, `newerFormat`, or a file
    ///   error.
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
                if stored == nil { try write(before) }
                return result
            }
            if record != before { try write(record) }
            return result
        }
    }

    /// Returns the record and the keyring, without changing anything.
    func read() throws(PushCryptError) -> (record: RegistrationRecord?, keyring: DeviceKeyring?) {
        let record = try SecretFile(path).withLock { () throws(PushCryptError) in try readIfPresent() }
        do {
            return (record, try keys.keyring())
        } catch {
            throw .keyUnreadable("read", error)
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
            throw PushCryptError(.keyUnreadable, "The store hasn't updated the keys. Fix the store.")
        }
        return result
    }
}
