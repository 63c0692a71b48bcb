internal import PushCryptCore
internal import PushCryptKeyring

/// The senders whose messages a receiver opens.
///
/// ```swift
/// let policy = SenderPolicy.signed(by: "YOUR_SERVER_KEY")
/// ```
///
/// A receiver must always choose one. The sender's counterpart is `SenderAuthentication`.
///
/// The keys of a policy are *roots*: each can sign a list of other keys, which the server hands out
/// when the device registers, and which then decides instead of the roots. Order them by rank: the
/// list of the first root that has one decides alone, so an offline key comes first. Without a
/// list, the roots themselves sign messages.
public struct SenderPolicy: Sendable {
    private enum Rule: Sendable {
        case signed(SignerRoots)
        case anyone
        /// A policy that rejects every message, because its keys can't be read.
        case invalid(PushCryptError)
    }

    private let rule: Rule

    /// Opens messages from anyone, signed or not, without checking signatures.
    ///
    /// Anyone who has the device's public key can then display text on it.
    public static let anyone = SenderPolicy(rule: .anyone)

    /// Opens only messages that one of these keys has signed, or a key of their list.
    ///
    /// - Parameters:
    ///   - keys: The roots, in order of rank.
    ///   - audience: The audience that a list must have, such as the name of an environment; `nil`
    ///     requires a list without one.
    /// - Returns: The policy.
    public static func signed(by keys: [VerificationKey], audience: String? = nil) -> SenderPolicy {
        SenderPolicy(rule: .signed(SignerRoots(keys, audience: audience)))
    }

    /// Opens only messages that one of these keys has signed, or a key of their list.
    public static func signed(by keys: VerificationKey...) -> SenderPolicy { signed(by: keys) }

    /// Opens only messages that one of these keys has signed: each a JWK, or the 43 characters of
    /// the raw key in base64url.
    ///
    /// If a key can't be read, the policy rejects every message with the reason, so that the
    /// mistake shows at once.
    @_disfavoredOverload
    public static func signed(by keys: [String], audience: String? = nil) -> SenderPolicy {
        do throws(PushCryptError) {
            var parsed: [VerificationKey] = []
            for key in keys { parsed.append(try VerificationKey(parsing: key)) }
            return signed(by: parsed, audience: audience)
        } catch {
            return .invalid(
                PushCryptError(
                    error.code, "The list of accepted keys can't be read. \(error.reason)"))
        }
    }

    /// Opens only messages that one of these keys has signed: each a JWK, or the 43 characters of
    /// the raw key in base64url.
    @_disfavoredOverload
    public static func signed(by keys: String...) -> SenderPolicy { signed(by: keys) }

    /// Returns a policy that rejects every message with an error.
    package static func invalid(_ error: PushCryptError) -> SenderPolicy {
        SenderPolicy(rule: .invalid(error))
    }

    /// The pinned roots; `nil` if the policy doesn't check signatures.
    ///
    /// - Throws: The error of a policy whose keys can't be read.
    var roots: SignerRoots? {
        get throws(PushCryptError) {
            switch rule {
            case .anyone: return nil
            case .invalid(let error): throw error
            case .signed(let roots): return roots
            }
        }
    }

    /// Checks a message against the policy.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - store: The store of the account's keys, which has the lists of accepted keys.
    /// - Returns: The key that has signed the message; `nil` if the policy doesn't check
    ///   signatures.
    /// - Throws: The code of the failed check.
    func check(_ message: IncomingMessage, keys store: any KeyStore) throws(PushCryptError)
        -> KeyID?
    {
        guard let roots = try roots else { return nil }
        guard let signer = message.signer else {
            throw PushCryptError(
                .unsigned,
                "The message isn't signed, but this receiver requires it. Seal with a signing key.")
        }
        let keys = try roots.acceptedKeys(with: store.storedSignerLists())
        guard !keys.isEmpty else {
            throw PushCryptError(
                .unknownSigner,
                "This receiver's list of accepted keys is empty. Add the sender's verification key."
            )
        }
        guard let key = keys.first(where: { $0.keyID == signer }) else {
            throw PushCryptError(
                .unknownSigner,
                """
                The message is signed by the key \(signer), which this receiver doesn't accept. \
                Add that verification key, or register the device again for the newest list.
                """)
        }
        try message.verify(with: key)
        return signer
    }
}
