public import PushCryptCore
public import PushCryptFoundation

// A keyring as the root of lists.
extension Keyring where Key == SigningKey {
    /// Returns the key of this keyring that signs the next list.
    ///
    /// It is the key that signed the last list, or else the first key, which apps pin. A server's
    /// own keyring, as an online root, may have other primary keys since.
    public func root(after last: SignerList?) -> SigningKey {
        keys.first { $0.publicKey.kid == last?.rootKid } ?? firstKey
    }

    /// Signs a list of accepted keys with the root of this keyring.
    ///
    /// - Parameters:
    ///   - accepted: The keys that devices accept, 1 to 64: all keys of the server's keyring.
    ///   - last: The last list of the root; `nil` for its first one.
    ///   - now: The current time, from which the list gets its number.
    ///   - terms: The terms of the list.
    /// - Returns: The list.
    /// - Throws: ``PushCryptError`` with `staleSignerList` if the clock is probably wrong,
    ///   `wrongAudience` if the last list is for another audience, `malformedSignerList` if a value
    ///   isn't valid, `sodiumUnavailable` or `signerFailed`.
    public func signerList(
        of accepted: [VerificationKey], after last: SignerList?, at now: Date,
        terms: SignerListTerms = .init()
    ) throws(PushCryptError) -> SignerList {
        if let audience = terms.audience, let last,
            !SignerListContent.isSame(last.audience, audience)
        {
            throw PushCryptError(
                .wrongAudience,
                """
                The last list is for \
                \(last.audience.map { "the audience \"\($0)\"" } ?? "no audience"). Remove the \
                new audience, or keep the lists of another app in another file.
                """)
        }
        guard accepted.count <= AcceptedSigners.maximumCount else {
            throw PushCryptError(
                .malformedSignerList,
                """
                \(accepted.count) keys are more than the \(AcceptedSigners.maximumCount) of a \
                list. Destroy retired keys that no device needs.
                """)
        }
        try checkClock(now, after: last, isConfirmed: terms.isClockConfirmed)
        return try SignerList(
            keys: accepted, after: last, issued: now,
            expiration: now.addingTimeInterval(terms.validity),
            audience: terms.audience ?? last?.audience, numberAbove: terms.numberAbove,
            signedBy: Signer(root(after: last)))
    }

    /// Throws if the clock, from which a list gets its number, is probably wrong.
    private func checkClock(_ now: Date, after last: SignerList?, isConfirmed: Bool)
        throws(PushCryptError)
    {
        // Without a last list, the number comes from the clock alone.
        guard last != nil || now > lastChange.addingTimeInterval(-KeyLifetime.clockTolerance) else {
            throw PushCryptError(
                .staleSignerList,
                """
                The clock is earlier than the root's keys, so the list would have a lower number \
                than an earlier one. Correct the clock.
                """)
        }
        // With a clock that is years ahead, the list would use up the numbers of its root.
        let known = max(lastChange, last?.issued ?? lastChange)
        guard isConfirmed || now < known.addingTimeInterval(2 * 365 * 24 * 3600) else {
            throw PushCryptError(
                .staleSignerList,
                """
                The clock is more than two years later than the root's keys and its last list. If \
                it's wrong, no \
                device takes a later list. Correct it, or confirm it ('--clock-is-right').
                """)
        }
    }
}
