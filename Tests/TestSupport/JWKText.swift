package import PushCryptTesting

/// A valid or invalid JWK for tests, as a list of members.
package struct JWKText {
    /// The names and the JSON values of the members, in order.
    package var members: [(name: String, value: String)]

    package init(members: [(name: String, value: String)]) { self.members = members }

    /// The JSON.
    package var text: String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// Returns a copy with a changed, an added or, for `nil`, a removed member.
    package func with(_ name: String, _ value: String?) -> JWKText {
        var copy = self
        let index = copy.members.firstIndex { $0.name == name }
        switch (index, value) {
        case (let index?, let value?): copy.members[index].value = value
        case (let index?, nil): copy.members.remove(at: index)
        case (nil, let value?): copy.members.append((name, value))
        case (nil, nil): break
        }
        return copy
    }

    /// Returns the private JWK of a device, from libsodium and Foundation only.
    package static func device(_ device: TestKeys.Device = .alice) -> JWKText {
        let secret = Array(device.rawValue.utf8)
        return key("X25519", "enc", RawSodium.publicKey(of: secret), secret)
    }

    /// Returns the private JWK of a sender.
    package static func sender(_ sender: TestKeys.Sender = .acme) -> JWKText {
        let seed = Array(sender.rawValue.utf8)
        return key("Ed25519", "sig", RawSodium.signingKeyPair(of: seed).publicKey, seed)
    }

    private static func key(_ curve: String, _ use: String, _ publicKey: [UInt8], _ secret: [UInt8])
        -> JWKText
    {
        let x = foundationBase64URL(publicKey)
        let canonical = #"{"crv":"\#(curve)","kty":"OKP","x":"\#(x)"}"#
        let kid = foundationBase64URL(RawSodium.sha256(Array(canonical.utf8)))
        return JWKText(members: [
            ("kty", "\"OKP\""), ("crv", "\"\(curve)\""), ("use", "\"\(use)\""),
            ("kid", "\"\(kid)\""),
            ("x", "\"\(x)\""),
            ("d", "\"\(foundationBase64URL(secret))\""),
        ])
    }
}

/// A valid or invalid keyring for tests.
package struct RingText {
    package var generation: String? = "7"
    package var keys: [JWKText]

    package init(generation: String? = "7", keys: [JWKText]) {
        self.generation = generation
        self.keys = keys
    }

    package var text: String {
        "{" + (generation.map { "\"generation\":\($0)," } ?? "") + "\"keys\":["
            + keys.map(\.text).joined(separator: ",") + "]}"
    }

    /// Returns a key of a keyring.
    package static func entry(_ key: JWKText, _ state: String, retired: String? = nil) -> JWKText {
        key.with("created", "1700000000").with("state", "\"\(state)\"").with("retired", retired)
    }
}
