#if APNs
internal import JWTKit
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

        /// Returns a Boolean value that indicates whether APNs accepts the token for 10 more minutes.
        ///
        /// A token from the future was signed by a wrong clock.
        func isCurrent(at now: Date) -> Bool { (-60..<50 * 60).contains(now.timeIntervalSince(issued)) }
    }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private let key: ES256PrivateKey
    nonisolated let keyID: String
    private let teamID: String
    private let file: TokenFile?
    private var current: Signed?
    private var signing: Task<Signed, any Error>?
    private var renewed = Date.distantPast

    init(_ key: ES256PrivateKey, keyID: String, teamID: String, file: TokenFile?) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.file = file
    }

    /// Returns the token, which all requests of a team share.
    func signed(now: Date = Date()) async throws -> Signed {
        if signing == nil, let current, current.isCurrent(at: now) { return current }
        return try await sign(now, insteadOf: nil)
    }

    /// Returns a token to use instead of one that APNs rejected as expired; `nil` if the token was renewed within the
    /// last 20 minutes.
    func signed(insteadOf rejected: String, now: Date = Date()) async throws -> Signed? {
        if let current, current.text != rejected { return current }
        if signing == nil {
            let last = max(renewed, current.flatMap { $0.isShared ? $0.issued : nil } ?? renewed)
            guard abs(now.timeIntervalSince(last)) > 20 * 60 else { return nil }
            renewed = now
        }
        return try await sign(now, insteadOf: rejected)
    }

    /// Signs a token and keeps it, unless another task or another process has one.
    private func sign(_ now: Date, insteadOf rejected: String?) async throws -> Signed {
        if let signing { return try await signing.value }
        let task = Task { [key, keyID, teamID, file] in
            let kid = JWKIdentifier(string: keyID)
            let keys = await JWTKeyCollection().add(ecdsa: key, kid: kid)
            func shared(_ text: String?) async -> Signed? {
                guard let text, text != rejected, TokenFile.keyID(of: text) == keyID,
                    let claims = try? await keys.verify(text, as: Claims.self), claims.iss == teamID
                else { return nil }
                let signed = Signed(text: text, issued: Date(timeIntervalSince1970: Double(claims.iat)), isShared: true)
                return signed.isCurrent(at: now) ? signed : nil
            }
            let old = file?.read()
            if let signed = await shared(old) { return signed }
            let claims = Claims(iss: teamID, iat: Int(now.timeIntervalSince1970))
            let own = Signed(text: try await keys.sign(claims, kid: kid), issued: now)
            // The file has a current token of another key or team. This client's key may be the wrong one, so that
            // token stays: APNs accepts few new ones.
            if let old, old != rejected, let issued = try? await keys.unverified(old, as: Claims.self).iat,
                Signed(text: old, issued: Date(timeIntervalSince1970: Double(issued))).isCurrent(at: now)
            {
                return own
            }
            let text = file?.replace(old, with: own.text) ?? own.text
            return text == own.text ? own : await shared(text) ?? own
        }
        signing = task
        defer { signing = nil }
        let signed = try await task.value
        current = signed
        return signed
    }
}
#endif
