#if APNs
internal import Crypto
internal import PushCryptFoundation
internal import PushCryptSender

/// The provider token of a team: a JWT that is signed with ES256 and shared for 50 minutes
/// (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
actor ProviderToken {
    /// A signed token and its time.
    struct Signed: Sendable {
        let text: String
        let issued: Date
        /// A Boolean value that indicates whether another process may have signed it.
        var isShared = false

        /// Returns a Boolean value that indicates whether APNs accepts the token for 10 more
        /// minutes.
        ///
        /// A token from the future was signed by a wrong clock.
        func isCurrent(at now: Date) -> Bool {
            (-60..<50 * 60).contains(now.timeIntervalSince(issued))
        }
    }

    private let key: P256.Signing.PrivateKey
    nonisolated let keyID: String
    private let teamID: String
    private let file: TokenFile?
    private var current: Signed?
    private var renewed = Date.distantPast

    init(_ key: P256.Signing.PrivateKey, keyID: String, teamID: String, file: TokenFile?) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.file = file
    }

    /// Returns the token, which all requests of a team share.
    func signed(now: Date = Date()) throws -> Signed {
        if let current, current.isCurrent(at: now) { return current }
        return try sign(now, insteadOf: nil)
    }

    /// Returns a token to use instead of one that APNs rejected as expired; `nil` if the token was
    /// renewed within the last 20 minutes.
    func signed(insteadOf rejected: String, now: Date = Date()) throws -> Signed? {
        if let current, current.text != rejected { return current }
        let last = max(renewed, current.flatMap { $0.isShared ? $0.issued : nil } ?? renewed)
        guard abs(now.timeIntervalSince(last)) > 20 * 60 else { return nil }
        renewed = now
        return try sign(now, insteadOf: rejected)
    }

    /// Signs a token and keeps it, unless another process has one.
    private func sign(_ now: Date, insteadOf rejected: String?) throws -> Signed {
        let old = file?.read()
        let signed = try shared(old, now, insteadOf: rejected) ?? own(now, old, insteadOf: rejected)
        current = signed
        return signed
    }

    /// Returns a current token of this key and team that another process has signed.
    private func shared(_ text: String?, _ now: Date, insteadOf rejected: String?) -> Signed? {
        guard let text, text != rejected, let token = ProviderJWT(text), token.keyID == keyID,
            token.teamID == teamID,
            token.isSigned(by: key.publicKey)
        else { return nil }
        let signed = Signed(text: text, issued: token.issued, isShared: true)
        return signed.isCurrent(at: now) ? signed : nil
    }

    /// Signs a token, and writes it to the file in place of an old one.
    private func own(_ now: Date, _ old: String?, insteadOf rejected: String?) throws -> Signed {
        let token = try ProviderJWT(keyID: keyID, teamID: teamID, issued: now, signedBy: key)
        let own = Signed(text: token.text, issued: now)
        // The file has a current token of another key or team. This client's key may be the wrong
        // one, so that token stays: APNs accepts few new ones.
        if let old, old != rejected, let other = ProviderJWT(old),
            Signed(text: old, issued: other.issued).isCurrent(at: now)
        {
            return own
        }
        let text = file?.replace(old, with: own.text) ?? own.text
        return text == own.text ? own : shared(text, now, insteadOf: rejected) ?? own
    }
}
#endif
