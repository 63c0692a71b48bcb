internal import PushCryptCore

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
    /// Nobody's, because the policy itself could not be made, for this reason.
    case unusable(PushCryptError)

    /// Only messages that one of these keys has signed, given as text.
    ///
    /// A key that cannot be read makes the whole policy ``unusable(_:)``, so that it is noticed with the first message and
    /// not when the other keys are gone.
    ///
    /// - Parameter keys: each a JWK as `pushcrypt keys public` prints it, or the 43 characters of the raw key.
    /// - Returns: the policy.
    @_disfavoredOverload
    public static func signed(by keys: String...) -> SenderPolicy {
        signed(by: keys)
    }

    /// The same for a list.
    ///
    /// - Parameter keys: each a JWK as `pushcrypt keys public` prints it, or the 43 characters of the raw key.
    /// - Returns: the policy.
    @_disfavoredOverload
    public static func signed(by keys: [String]) -> SenderPolicy {
        do throws(PushCryptError) {
            var parsed: [VerificationKey] = []
            for key in keys { parsed.append(try VerificationKey(parsing: key)) }
            return .signed(by: parsed)
        } catch {
            return .unusable(
                PushCryptError(error.code, "The list of accepted keys cannot be read. \(error.reason)"))
        }
    }

    /// Checks a message against the policy.
    ///
    /// - Returns: the key that has signed the message; `nil` where nobody's signature was asked for.
    func check(_ message: IncomingMessage) throws(PushCryptError) -> KeyID? {
        let keys: [VerificationKey]
        switch self {
        case .anyone: return nil
        case .unusable(let error): throw error
        case .signed(by: let accepted): keys = accepted
        }
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
