#if APNs
internal import Crypto
internal import NIOSSL
public import PushCryptSender

/// The credentials of a provider: a key of the developer account, or a certificate of one app
/// (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
///
/// Create one per team, and give it to all clients of the team: they then share the provider token,
/// which APNs wants renewed no more often than every 20 minutes.
public struct APNsAuthentication: Sendable {
    enum Kind: Sendable {
        case token(ProviderToken)
        case certificate(chain: [NIOSSLCertificate], key: NIOSSLPrivateKey)
    }

    let kind: Kind

    /// The key that the developer account calls "APNs Auth Key".
    ///
    /// - Parameters:
    ///   - p8: The contents of the file `AuthKey_….p8`. It stays in ordinary memory, because
    ///     swift-crypto holds it.
    ///   - keyID: The ID of the key, 10 letters and digits.
    ///   - teamID: The ID of the team, 10 letters and digits.
    ///   - tokenFile: A file with mode 0600 through which processes share the provider token; `nil`
    ///     for none.
    /// - Returns: Credentials that sign a provider token when the first push is sent, and every 50
    ///   minutes.
    /// - Throws: `PushCryptError` with `invalidKey` or `invalidConfiguration`.
    public static func token(
        p8: String, keyID: String, teamID: String, tokenFile: String? = nil
    ) throws(PushCryptError) -> APNsAuthentication {
        for (name, id) in [("key", keyID), ("team", teamID)] {
            guard id.utf8.count == 10, id.utf8.allSatisfy(\.isLetterOrDigit) else {
                throw PushCryptError(
                    .invalidConfiguration,
                    """
                    The \(name) ID isn't 10 letters and digits. Copy it from the developer \
                    account.
                    """)
            }
        }
        let key = try SigningKeyFile.key(in: p8)
        let file = tokenFile.map { TokenFile($0) }
        return Self(kind: .token(ProviderToken(key, keyID: keyID, teamID: teamID, file: file)))
    }

    /// A certificate of one app, with its private key.
    ///
    /// - Parameters:
    ///   - chain: The PEM encoding of the certificate and of its intermediate certificates.
    ///   - privateKey: The PEM encoding of the certificate's private key, without a passphrase.
    /// - Returns: Credentials that need no provider token.
    /// - Throws: `PushCryptError` with `invalidKey`.
    public static func certificate(
        _ chain: String, privateKey: String
    ) throws(PushCryptError) -> APNsAuthentication {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(chain.utf8)),
            !certificates.isEmpty
        else {
            throw PushCryptError(
                .invalidKey,
                """
                The certificate isn't valid PEM. Convert the .p12 file with 'openssl pkcs12 \
                -nokeys'.
                """)
        }
        guard let key = try? NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem) else {
            throw PushCryptError(
                .invalidKey,
                """
                The private key of the certificate isn't valid PEM, or has a passphrase. Convert \
                the .p12 file with 'openssl pkcs12 -nocerts -nodes'.
                """)
        }
        return Self(kind: .certificate(chain: certificates, key: key))
    }
}
#endif
