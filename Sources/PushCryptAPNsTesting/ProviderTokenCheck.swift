#if APNs
internal import Crypto
internal import Foundation

/// Apple's rules for provider tokens.
struct ProviderTokenCheck: Sendable {
    private struct Known {
        let keyID: String
        let issuedAt: Date
        var isExpired = false
    }

    /// The time for which a token is valid.
    var lifetime: TimeInterval
    /// The time that must pass between two tokens of a team.
    var interval: TimeInterval

    private var keys: [String: (team: String, key: P256.Signing.PublicKey)] = [:]
    private var known: [String: Known] = [:]
    private var lastChange: [String: Date] = [:]

    init(_ keys: [ProviderKey], lifetime: TimeInterval, interval: TimeInterval) throws {
        self.lifetime = lifetime
        self.interval = interval
        for key in keys {
            let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key.p8)
            self.keys[key.keyID] = (key.teamID, privateKey.publicKey)
        }
    }

    /// The valid tokens that were seen.
    var tokens: [String] { known.sorted { $0.value.issuedAt < $1.value.issuedAt }.map(\.key) }

    /// Lets all tokens that were seen be expired, and accepts new ones at once.
    mutating func expireAll() {
        for token in known.keys { known[token]?.isExpired = true }
        lastChange = [:]
    }

    /// Checks the header `authorization` and returns the key id.
    mutating func check(_ authorization: String?, now: Date) throws(Refusal) -> String {
        guard let authorization, !authorization.isEmpty else {
            throw Refusal(403, "MissingProviderToken")
        }
        guard authorization.hasPrefix("bearer ") else { throw Refusal(403, "InvalidProviderToken") }
        let token = String(authorization.dropFirst("bearer ".count))
        let known = if let seen = known[token] { seen } else { try verify(token) }
        let age = now.timeIntervalSince(known.issuedAt)
        guard age >= -60 else { throw Refusal(403, "InvalidProviderToken") }
        guard !known.isExpired, age <= lifetime else { throw Refusal(403, "ExpiredProviderToken") }
        if self.known[token] == nil {
            let team = keys[known.keyID]?.team ?? ""
            if let last = lastChange[team], now.timeIntervalSince(last) < interval {
                throw Refusal(429, "TooManyProviderTokenUpdates")
            }
            lastChange[team] = now
            self.known[token] = known
        }
        return known.keyID
    }

    private func verify(_ token: String) throws(Refusal) -> Known {
        struct Header: Decodable { let alg, kid: String }
        // `Int`: APNs documents seconds, so a fraction isn't valid.
        struct Claims: Decodable {
            let iss: String
            let iat: Int
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decode(Header.self, parts[0]),
            let claims = decode(Claims.self, parts[1]),
            let bytes = data(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            header.alg == "ES256", let known = keys[header.kid], known.team == claims.iss,
            known.key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw Refusal(403, "InvalidProviderToken") }
        return Known(
            keyID: header.kid, issuedAt: Date(timeIntervalSince1970: TimeInterval(claims.iat)))
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: Substring) -> Value? {
        data(text).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    private func data(_ text: Substring) -> Data? {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(
            base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }
}
#endif
