internal import Dispatch
public import PushCryptCore
internal import PushCryptKeyring
internal import PushCryptSystem

extension PreparedPush {
    /// Seals the payload for many devices on all cores.
    ///
    /// All pushes are in memory at once, up to 4.5 KB each. For millions of devices, use
    /// ``SealedChunks``.
    ///
    /// - Returns: For each recipient, in their order, a push or an error with `sodiumUnavailable`
    ///   or `invalidLifetime`.
    public func sealOnAllCores<Recipient: SealTarget & Sendable>(
        for recipients: [Recipient]
    ) -> [Result<SealedPush, PushCryptError>] {
        // Small enough that all cores end at about the same time.
        let length = min(max(recipients.count / 16, 4), 64)
        let count = (recipients.count + length - 1) / length
        let parts = LockedValue([[Result<SealedPush, PushCryptError>]](repeating: [], count: count))
        DispatchQueue.concurrentPerform(iterations: count) { part in
            let end = min((part + 1) * length, recipients.count)
            let results = sealEach(of: recipients[(part * length)..<end])
            parts.withLock { $0[part] = results }
        }
        return parts.withLock { Array($0.joined()) }
    }

    /// Returns the sealed pushes for any number of devices, in chunks that are sealed on all cores.
    ///
    /// The method for asynchronous sequences has the same parameters and errors.
    ///
    /// - Returns: The chunks, in the order of the recipients.
    public func chunks<Recipients: Sequence>(
        for recipients: Recipients, of size: Int = 256, atOnce limit: Int? = nil
    ) -> SealedChunks<Recipients.Element> where Recipients.Element: SealTarget & Sendable {
        var iterator = recipients.makeIterator()
        return SealedChunks(self, size: size, limit: limit) { iterator.next() }
    }

    /// Returns the sealed pushes for any number of devices, in chunks that are sealed on all cores.
    ///
    /// ```swift
    /// for try await chunk in try sealer.prepare(json: json).chunks(for: devices) {
    ///     for (device, result) in chunk { print(device, try result.get()) }
    /// }
    /// ```
    ///
    /// Memory doesn't grow with the number of recipients, because they are read only `limit` chunks
    /// ahead. If their sequence throws an error, the chunks of all recipients before it come first.
    /// A canceled task gets `CancellationError`.
    ///
    /// - Parameters:
    ///   - recipients: The devices, for example rows from a database cursor.
    ///   - size: The number of recipients in each chunk but the last.
    ///   - limit: The number of chunks that are sealed at once; by default twice the number of
    ///     cores.
    /// - Returns: The chunks, in the order of the recipients.
    public func chunks<Recipients: AsyncSequence>(
        for recipients: Recipients, of size: Int = 256, atOnce limit: Int? = nil
    ) -> SealedChunks<Recipients.Element> where Recipients.Element: SealTarget & Sendable {
        var iterator = recipients.makeAsyncIterator()
        return SealedChunks(self, size: size, limit: limit) { try await iterator.next() }
    }

    /// Seals the payload for each recipient, with one copy of the messages for all.
    func sealEach(of recipients: some Sequence<some SealTarget>) -> [Result<
        SealedPush, PushCryptError
    >] {
        var copy = self
        return recipients.map { recipient in
            Result { () throws(PushCryptError) in try copy.sealInPlace(for: recipient) }
        }
    }
}
