#if APNs
internal import Crypto
internal import PushCryptCore
internal import PushCryptFoundation

/// The text of a provider token: a JWT (RFC 7519) with the header `alg` and `kid`, and the claims
/// `iss` and `iat`.
struct ProviderJWT {
    let text: String
    let keyID: String
    let teamID: String
    let issued: Date

    /// Signs a token with ES256.
    ///
    /// The IDs are letters and digits, so JSON needs no escapes.
    init(keyID: String, teamID: String, issued: Date, signedBy key: P256.Signing.PrivateKey) throws
    {
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        let seconds = Int(issued.timeIntervalSince1970)
        let claims = Base64URL.encode(Array(#"{"iss":"\#(teamID)","iat":\#(seconds)}"#.utf8))
        let signature = try key.signature(for: Array("\(header).\(claims)".utf8)).rawRepresentation
        text = "\(header).\(claims).\(Base64URL.encode(Array(signature)))"
        self.keyID = keyID
        self.teamID = teamID
        self.issued = issued
    }

    /// Reads a token without verifying it; `nil` for any other string.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let keyID = Self.keyID(of: text),
            let claims = try? Base64URL.decode(Array(parts[1].utf8).span),
            let document = try? JSONDocument(scanning: claims.span),
            let teamID = document.string(document.member("iss", in: claims.span), in: claims.span),
            let seconds = document.integer(document.member("iat", in: claims.span), in: claims.span)
        else { return nil }
        self.text = text
        self.keyID = keyID
        self.teamID = teamID
        issued = Date(timeIntervalSince1970: Double(seconds))
    }

    /// Returns the key ID in the header of a JWT that an ES256 key has signed; `nil` for any other
    /// string.
    static func keyID(of text: String) -> String? {
        let header = try? Base64URL.decode(Array(text.utf8.prefix { $0 != UInt8(ascii: ".") }).span)
        guard let header, let document = try? JSONDocument(scanning: header.span),
            document.string(document.member("alg", in: header.span), in: header.span) == "ES256"
        else { return nil }
        return document.string(document.member("kid", in: header.span), in: header.span)
    }

    /// Returns a Boolean value that indicates whether a key has signed the token.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let dot = text.lastIndex(of: "."),
            let bytes = try? Base64URL.decode(Array(text[dot...].dropFirst().utf8).span),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: Array(text[..<dot].utf8))
    }
}
#endif
