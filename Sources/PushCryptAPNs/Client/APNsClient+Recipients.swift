#if APNs
public import PushCryptSender
internal import PushCryptSystem

extension APNsClient {
    /// Sends a sealed push to a stored recipient, unless the recipient lacks a required proof.
    ///
    /// ```swift
    /// func send(_ push: SealedPush, to recipient: Recipient) async throws {
    ///     let receipt = try await apns.send(push, to: recipient)
    ///     print(receipt.id)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - push: The push, with a topic in its headers.
    ///   - recipient: The recipient from the server's database.
    /// - Returns: The receipt.
    /// - Throws: ``APNsError``, with the code `unprovedRecipient` if the client requires proofs, or
    ///   `invalidDeviceToken` if the token belongs to another service. The client sends nothing in
    ///   both cases.
    public func send(_ push: SealedPush, to recipient: Recipient) async throws(APNsError)
        -> APNsReceipt
    {
        do throws(PushCryptError) {
            try proofs.check(recipient, at: SystemTime().now)
            guard recipient.carrier == .apns else {
                throw PushCryptError(
                    .invalidDeviceToken,
                    """
                    The recipient's token belongs to another service. Send the push through that \
                    service.
                    """)
            }
        } catch {
            throw APNsError(
                error.code, error.reason, advice: .fixRequest, id: push.headers.id ?? .random())
        }
        return try await send(push, to: recipient.deviceToken)
    }
}
#endif
