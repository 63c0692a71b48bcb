internal import PushCryptCore

/// The senders whose messages a receiver opens.
///
/// ```swift
/// let policy = SenderPolicy.signed(by: "YOUR_SERVER_KEY")
/// ```
///
/// A receiver must always choose one. The sender's counterpart is `SenderAuthentication`.
public struct SenderPolicy: Sendable {
    private enum Rule: Sendable {
        case signed([VerificationKey])
        case anyone
        /// A policy that rejects every message, because its keys can't be read.
        case invalid(PushCryptError)
    }

    private let rule: Rule

    /// Opens messages from anyone, signed or not, without checking signatures.
    ///
    /// Anyone who has the device's public key can then display text on it.
    public static let anyone = SenderPolicy(rule: .anyone)

    /// Opens only messages that one of these keys has signed.
    ///
    /// Pass more than one key while the server introduces a new one.
    public static func signed(by keys: [VerificationKey]) -> SenderPolicy { SenderPolicy(rule: .signed(keys)) }

    /// Opens only messages that one of these keys has signed.
    public static func signed(by keys: VerificationKey...) -> SenderPolicy { signed(by: keys) }

    /// Opens only messages that one of these keys has signed: each a JWK, or the 43 characters of the raw key in
    /// base64url.
    ///
    /// If a key can't be read, the policy rejects every message with the reason, so that the mistake shows at once.
    @_disfavoredOverload
    public static func signed(by keys: [String]) -> SenderPolicy {
        do throws(PushCryptError) {
            var parsed: [VerificationKey] = []
            for key in keys { parsed.append(try VerificationKey(parsing: key)) }
            return signed(by: parsed)
        } catch {
            return .invalid(PushCryptError(error.code, "The list of accepted keys can't be read. \(error.reason)"))
        }
    }

    /// Opens only messages that one of these keys has signed: each a JWK, or the 43 characters of the raw key in
    /// base64url.
    @_disfavoredOverload
    public static func signed(by keys: String...) -> SenderPolicy { signed(by: keys) }

    /// Returns a policy that rejects every message with an error.
    package static func invalid(_ error: PushCryptError) -> SenderPolicy { SenderPolicy(rule: .invalid(error)) }

    /// Returns whether the policy names a key, by which a message claims to be signed.
    func accepts(_ signer: KeyID?) -> Bool {
        guard case .signed(let keys) = rule else { return false }
        return keys.contains { $0.keyID == signer }
    }

    /// Checks a message against the policy.
    ///
    /// - Returns: The key that has signed the message; `nil` if the policy doesn't check signatures.
    func check(_ message: IncomingMessage) throws(PushCryptError) -> KeyID? {
        let keys: [VerificationKey]
        switch rule {
        case .anyone: return nil
        case .invalid(let error): throw error
        case .signed(let accepted): keys = accepted
        }
        guard let signer = message.signer else {
            throw PushCryptError(
                .unsigned, "The message isn't signed, but this receiver requires it. Seal with a signing key.")
        }
        guard !keys.isEmpty else {
            throw PushCryptError(
                .unknownSigner, "This receiver's list of accepted keys is empty. Add the sender's verification key.")
        }
        guard let key = keys.first(where: { $0.keyID == signer }) else {
            throw PushCryptError(
                .unknownSigner,
                """
                The message is signed by the key \(signer), which this receiver doesn't accept. Add that \
                verification key.
                """)
        }
        try message.verify(with: key)
        return signer
    }
}
