/// Whose messages a receiver opens.
///
/// It is always said, never defaulted.
public enum SenderPolicy: Sendable {
    /// Only messages that one of these keys has signed.
    ///
    /// Give more than one while a new key is being introduced.
    case signed(by: [VerificationKey])
    /// Anybody's, signed or not. Signatures are not looked at: whoever has the device's public key can show it a text.
    case anyone

    /// Checks a message against the policy.
    ///
    /// - Returns: the key that has signed the message; `nil` where nobody's signature was asked for.
    func check(_ message: IncomingMessage) throws(PushCryptError) -> KeyID? {
        guard case .signed(by: let keys) = self else { return nil }
        guard let signer = message.signer else {
            throw PushCryptError(
                .unsigned,
                "The message is not signed, and this receiver opens signed ones alone. Seal with a signing key.")
        }
        guard !keys.isEmpty else {
            throw PushCryptError(
                .unknownSigner,
                "This receiver's list of accepted keys is empty. Was the sender's key read without an error?")
        }
        guard let key = keys.first(where: { $0.keyID == signer }) else {
            throw PushCryptError(
                .unknownSigner,
                "The message is signed by the key \(signer), which this receiver does not accept. Ship that verification key."
            )
        }
        try message.verify(with: key)
        return signer
    }
}
