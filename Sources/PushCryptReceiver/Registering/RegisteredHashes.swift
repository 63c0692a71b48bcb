internal import PushCryptCore
internal import PushCryptKeyring

/// A confirmed registration, as hashes.
struct RegisteredHashes: Sendable, Hashable {
    /// The thumbprint of the key.
    let key: String
    /// The hash of the device token and the account together: a hash of the account alone could be
    /// guessed.
    let token: String
    /// The hash of the accepted keys in the registration and of the pinned roots; `nil` without a
    /// policy.
    ///
    /// With other roots, the server may have another list for the device.
    var signers: String?
}

extension RegisteredHashes {
    init(
        _ registration: Registration, token: String, from carrier: Carrier = .apns, account: String,
        roots: SignerRoots? = nil
    ) throws(PushCryptError) {
        self.init(
            key: registration.key.kid,
            // The account is last, because its name is any text.
            token: try Self.hash((carrier == .apns ? "" : "\(carrier):") + "\(token):\(account)"),
            signers: try registration.signers.map { (signers) throws(PushCryptError) in
                let pinned = (roots?.keys.map(\.kid) ?? []) + [roots?.audience ?? ""]
                return try Self.hash((signers.kids + [""] + pinned).joined(separator: " "))
            })
    }

    private static func hash(_ text: String) throws(PushCryptError) -> String {
        Base64URL.encode(try SHA256.hash(Array(text.utf8)).array)
    }
}
