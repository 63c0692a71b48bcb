public import PushCryptCore
public import PushCryptFoundation

// The life of a server's signing key. A retired key goes on signing for the devices that know no
// newer one.
extension Keyring where Key == SigningKey {
    /// The keys that sign, in the order in which a sealer prefers them: the primary key, and
    /// retired keys, the newest first.
    public var signers: [Signer] { signingKeys.map { Signer($0) } }

    private var signingKeys: [SigningKey] {
        // A keyring that another program wrote may have another order.
        let newestFirst = retired.enumerated().sorted {
            ($1.element.retired, $0.offset) < ($0.element.retired, $1.offset)
        }
        return [primary.key] + newestFirst.map(\.element.key)
    }

    /// The first key of the keyring, which is never pruned: apps may pin it as their root.
    public var firstKey: SigningKey {
        // Of keys of the same second, the one that was retired first.
        let entries = pending + [primary] + retired.map(\.entry)
        return entries.reduce(primary) { $1.created <= $0.created ? $1 : $0 }.key
    }

    /// Returns the retired keys that no device needs: each device accepts the primary key or a
    /// newer retired key.
    ///
    /// - Parameter recipients: The accepted keys of all registered devices; `nil` for a device that
    ///   doesn't tell them. The sealer signs for it with the primary key, so it needs no retired
    ///   one.
    /// - Returns: The keys, the newest first, without the keyring's first key.
    public func unneededKeys(by recipients: some Sequence<AcceptedSigners?>) -> [RetiredEntry] {
        var needed: Set<String> = [firstKey.publicKey.kid]
        let publicKeys = signingKeys.map(\.publicKey)
        for case let recipient? in recipients {
            if let key = publicKeys.first(where: { recipient.contains($0) }) {
                needed.insert(key.kid)
            }
        }
        return retired.filter { !needed.contains($0.key.publicKey.kid) }
    }

    /// Destroys the retired keys that no device has needed for 30 days and 48 hours, the time of
    /// the last messages.
    ///
    /// The keyring remembers since when a key isn't needed, so call the method regularly. After a
    /// key is revoked, this time begins again, because an older key may sign for its devices.
    ///
    /// - Parameters:
    ///   - now: The current time of a clock that can be trusted.
    ///   - recipients: The accepted keys of **all** registered devices. A device that is left out
    ///     may display `(Encrypted)` from then on.
    /// - Returns: The removed keys.
    /// - Throws: ``PushCryptError`` with `implausibleClock` or `malformedKeyring`; the keyring is
    ///   then unchanged.
    @discardableResult
    public mutating func prune(
        at now: Date, recipients: some Sequence<AcceptedSigners?>
    ) throws(PushCryptError) -> [RetiredEntry] {
        try checkClock(now)
        let unneeded = Set(unneededKeys(by: recipients).map(\.key.publicKey.kid))
        let now = Date(timeIntervalSince1970: TimeInterval(now.secondsSince1970))
        var marked = retired
        for index in marked.indices {
            let isUnneeded = unneeded.contains(marked[index].key.publicKey.kid)
            marked[index].unneeded = isUnneeded ? marked[index].unneeded ?? now : nil
        }
        let period = TimeInterval(KeyLifetime.range.upperBound) + KeyLifetime.clockTolerance
        let removed = marked.filter { $0.unneeded.map { $0 + period <= now } ?? false }
        if !removed.isEmpty { generation = try nextGeneration() }
        let kids = Set(removed.map(\.key.publicKey.kid))
        retired = marked.filter { !kids.contains($0.key.publicKey.kid) }
        return removed
    }
}
