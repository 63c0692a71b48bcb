internal import PushCryptCore

// The same for JSON that is no array of bytes: `Data`, or the `utf8` of a string. They are inlinable so that the copy into
// an array is compiled for the type at hand; a generic copy goes byte by byte.
extension Sealer {
    /// Checks a payload and does all the work that is the same for every device.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8.
    ///   - headers: the request headers that go with it.
    /// - Returns: the payload, ready to be sealed for any number of devices.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func prepare(
        json: some Collection<UInt8>, headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> PreparedPush {
        try prepare(json: Array(json), headers: headers)
    }

    /// Seals a payload for one device.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8.
    ///   - recipient: the device's public key.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func seal(
        json: some Collection<UInt8>, for recipient: RecipientPublicKey, headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> SealedPush {
        try seal(json: Array(json), for: recipient, headers: headers)
    }

    /// Seals a payload for many devices, each with a message of its own.
    ///
    /// - Parameters:
    ///   - json: the payload as you would send it without PushCrypt, in UTF-8.
    ///   - recipients: the devices' public keys.
    ///   - headers: the request headers that go with it.
    /// - Returns: what to send, in the order of the recipients.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func seal(
        json: some Collection<UInt8>, for recipients: [RecipientPublicKey], headers: APNsHeaders = APNsHeaders()
    ) throws(PushCryptError) -> [SealedPush] {
        try seal(json: Array(json), for: recipients, headers: headers)
    }
}
