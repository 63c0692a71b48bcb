/// The two curves of RFC 8037 that are in use here, by the names that a JWK's `crv` has for them.
public enum Curve: String, Sendable, Hashable, CaseIterable {
    /// Keys that messages are sealed to.
    case x25519 = "X25519"
    /// Keys that messages are signed with.
    case ed25519 = "Ed25519"

    /// What a JWK's `use` says for keys of this curve (RFC 7517 §4.2).
    public var use: String {
        switch self {
        case .x25519: "enc"
        case .ed25519: "sig"
        }
    }
}
