public import PushCryptCore
public import PushCryptFoundation

/// A list of the keys from which devices accept signatures, signed by a root that the app pins.
///
/// It is a compact JWS (RFC 7515) with the algorithm `Ed25519` (RFC 9864), as section 13 of the
/// format defines it. The server hands it out in its answers to registrations, so that a signing
/// key changes without an update of the app.
///
/// ```swift
/// func announce(
///     _ keyring: SigningKeyring, after previous: SignerList?, root: SigningKey
/// ) throws -> String {
///     let now = SystemTime().now
///     return try SignerList(
///         keys: keyring.keys.map(\.publicKey), after: previous,
///         issued: now, expiration: now + 365 * 24 * 3600,
///         signedBy: Signer(root)
///     ).text
/// }
/// ```
public struct SignerList: Sendable, Hashable {
    /// The largest length of a list in characters.
    static let maximumLength = 65_536

    /// The list in the compact serialization, as devices get it.
    public let text: String

    /// The thumbprint of the root that signed the list.
    public let rootKid: String

    /// The keys from which devices accept signatures, in the order of the list.
    public var keys: [VerificationKey] { content.keys }

    /// The number of the list, which each later list of the root exceeds.
    public var number: UInt64 { content.number }

    /// The time of issue, in whole seconds.
    public var issued: Date { content.issued }

    /// The time from which no device takes the list; a device that has stored it before keeps it.
    public var expiration: Date { content.expiration }

    /// The text that the app pins beside its roots, such as the name of an environment; `nil` if it
    /// pins none.
    public var audience: String? { content.audience }

    let content: SignerListContent

    /// Signs a list.
    ///
    /// - Parameters:
    ///   - keys: The keys that devices accept, 1 to 64: all keys of the server's keyring.
    ///   - previous: The last list of this root. The new number is greater than this list's, and at
    ///     least the time of issue in milliseconds.
    ///   - issued: The time of issue.
    ///   - expiration: The time from which no device takes the list.
    ///   - audience: The text that the app pins beside its roots; `nil` if it pins none.
    ///   - number: A number that the list exceeds, if the file of the last list is lost.
    ///   - root: The key of the root.
    /// - Throws: ``PushCryptError`` with `malformedSignerList` if a value isn't valid,
    ///   `wrongAudience` or `unknownRoot` if the previous list is for another audience or of
    ///   another root, `sodiumUnavailable` or `signerFailed`.
    public init(
        keys: [VerificationKey], after previous: SignerList? = nil, issued: Date, expiration: Date,
        audience: String? = nil, numberAbove number: UInt64 = 0, signedBy root: Signer
    ) throws(PushCryptError) {
        if let previous {
            guard previous.rootKid == root.publicKey.kid else {
                throw PushCryptError(
                    .unknownRoot,
                    "The previous list is signed by another root. Give the last list of this root.")
            }
            guard SignerListContent.isSame(previous.audience, audience) else {
                throw PushCryptError(
                    .wrongAudience,
                    "The previous list is for another audience. Give the same audience.")
            }
        }
        // Even without a previous list, a later list has a higher number, unless the clock was set
        // back.
        let time = min(max(issued.millisecondsSince1970, 1), JSONDocument.maximumInteger)
        let last = min(max(previous?.number ?? 0, number), JSONDocument.maximumInteger)
        let next = max(time, last + 1)
        let content = try SignerListContent(
            keys: keys, number: next, issued: issued, expiration: expiration, audience: audience)
        try self.init(content, signedBy: root)
    }

    /// Signs checked content.
    init(_ content: SignerListContent, signedBy root: Signer) throws(PushCryptError) {
        self.content = content
        rootKid = root.publicKey.kid
        let header = #"{"alg":"Ed25519","kid":"\#(rootKid)","typ":"\#(Self.type)"}"#
        let signed =
            Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(content.json.utf8))
        text = signed + "." + Base64URL.encode(try root.signature(of: Array(signed.utf8)))
        guard text.utf8.count <= Self.maximumLength else { throw Self.malformed("it is too long") }
    }

    /// Stores the parts of a list whose signature fits.
    init(text: String, rootKid: String, content: SignerListContent) {
        self.text = text
        self.rootKid = rootKid
        self.content = content
    }

    /// Checks that devices with this list accept the messages of a keyring.
    ///
    /// - Throws: ``PushCryptError`` with `unlistedSigningKey` if the list doesn't have the
    ///   keyring's primary key.
    public func checkListing(of keyring: SigningKeyring) throws(PushCryptError) {
        guard keys.contains(keyring.primary.key.publicKey) else {
            throw PushCryptError(
                .unlistedSigningKey,
                """
                The list doesn't have the signing key \(keyring.primary.key.publicKey.keyID). \
                Announce a list of the keyring's keys, or promote a listed key.
                """)
        }
    }

    /// The value of `typ` in the header.
    static let type = "pushcrypt-signers"

    static func malformed(_ problem: String) -> PushCryptError {
        PushCryptError(
            .malformedSignerList,
            "The list of accepted keys isn't valid: \(problem). Announce it again.")
    }
}

extension SignerList: CustomStringConvertible {
    /// The number of the list, its root, and the number of its keys.
    public var description: String {
        """
        list \(number) of the root \(rootKid.prefix(10)) with \(keys.count) \
        \(keys.count == 1 ? "key" : "keys")
        """
    }
}
