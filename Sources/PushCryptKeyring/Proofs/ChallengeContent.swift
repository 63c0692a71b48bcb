package import PushCryptCore

/// The payload of a challenge: `{"challenge":"…","expires":1767226500,"aps":{…}}`.
package struct ChallengeContent: Sendable, Hashable {
    /// The nonce, 32 bytes.
    package let nonce: [UInt8]

    /// The end of the challenge, in seconds since 1970.
    package let expiry: UInt64

    package init(nonce: [UInt8], expiry: UInt64) {
        self.nonce = nonce
        self.expiry = expiry
    }

    /// Parses a payload.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`, or `invalidPayload` if it isn't exactly a
    ///   challenge.
    package init(parsing payload: [UInt8]) throws(PushCryptError) {
        let bytes = payload.span
        let document = try JSONDocument(scanning: bytes)
        for member in document.children(of: document.root) {
            guard ["challenge", "expires", "aps"].contains(document.name(of: member, in: bytes))
            else {
                throw Self.invalid
            }
        }
        let aps = document.member("aps", in: bytes)
        guard aps == nil || aps?.kind == .object,
            let text = document.string(document.member("challenge", in: bytes), in: bytes),
            let nonce = try? Base64URL.decode(Array(text.utf8).span),
            nonce.count == ProofComputation.length,
            let expiry = document.integer(document.member("expires", in: bytes), in: bytes),
            expiry <= JSONDocument.maximumInteger
        else { throw Self.invalid }
        self.nonce = nonce
        self.expiry = expiry
    }

    private static let invalid = PushCryptError(
        .invalidPayload,
        """
        The payload isn't a challenge: "challenge" with 43 characters, "expires" with an integer, \
        and optionally "aps". Create it with RegistrationChallenge.
        """)
}
