public import PushCryptCore

/// The request with which a device registers: its registration, its token, and the proof if it
/// answers a challenge.
///
/// The app sends ``json`` to its server, as the signed-in user:
///
///     {"token":"0a1b…","registration":"{\"created\":…}","expires":1767226500,
///      "proof":"…43 characters…"}
///
/// The server parses it, and takes the account from the session:
///
/// ```swift
/// func registration(in body: String) throws -> Registration {
///     try Registration(parsing: RegistrationRequest(parsing: body).registration)
/// }
/// ```
public struct RegistrationRequest: Sendable, Hashable {
    /// The registration as the device has written it: JSON in one line.
    public let registration: String

    /// The device token: for APNs, bytes in hexadecimal digits.
    public let deviceToken: String

    /// The service that delivers pushes to the token.
    public let carrier: Carrier

    /// The answer to a challenge; `nil` if the request isn't one.
    public let proof: RegistrationProof?

    /// A Boolean value that indicates whether the device asks for a challenge that displays a
    /// notification, because a silent one hasn't arrived.
    public let wantsVisibleChallenge: Bool

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - registration: The registration as JSON.
    ///   - deviceToken: The device token.
    ///   - carrier: The service that delivers pushes to the token.
    ///   - proof: The answer to a challenge.
    ///   - wantsVisibleChallenge: `true` asks for a challenge that displays a notification.
    public init(
        registration: String, deviceToken: String, carrier: Carrier = .apns,
        proof: RegistrationProof? = nil,
        wantsVisibleChallenge: Bool = false
    ) {
        self.registration = registration
        self.deviceToken = deviceToken
        self.carrier = carrier
        self.proof = proof
        self.wantsVisibleChallenge = wantsVisibleChallenge
    }

    /// Parses the body of a request.
    ///
    /// - Parameter text: The JSON in UTF-8. Other members are ignored.
    /// - Throws: ``PushCryptError`` with `malformedRegistration`. The registration itself isn't
    ///   parsed.
    public init(parsing text: some UTF8Text) throws(PushCryptError) {
        let json = text.bytesForPushCrypt
        let bytes = json.span
        let document = try JSONDocument(scanning: bytes, "request", orThrow: .malformedRegistration)
        guard
            let registration = document.string(
                document.member("registration", in: bytes), in: bytes),
            let deviceToken = document.string(document.member("token", in: bytes), in: bytes)
        else { throw Self.malformed("\"registration\" or \"token\" isn't a string. Send both.") }
        var carrier = Carrier.apns
        if let member = document.member("carrier", in: bytes) {
            guard let named = document.string(member, in: bytes) else {
                throw Self.malformed("\"carrier\" isn't a string. Omit it for APNs.")
            }
            carrier = Carrier(rawValue: named)
        }
        self.init(
            registration: registration, deviceToken: deviceToken, carrier: carrier,
            proof: try RegistrationProof(in: document, bytes),
            wantsVisibleChallenge: document.isTrue(document.member("visible", in: bytes), in: bytes)
        )
    }

    fileprivate static func malformed(_ reason: String) -> PushCryptError {
        PushCryptError(.malformedRegistration, reason)
    }

    /// The body of the request as JSON.
    ///
    /// `carrier` is missing for APNs, `expires` and `proof` without an answer, and `visible` unless
    /// it's `true`.
    public var json: String {
        var json = Array(#"{"token":"#.utf8)
        JSONText.append(deviceToken, to: &json)
        if carrier != .apns {
            json += Array(#","carrier":"#.utf8)
            JSONText.append(carrier.rawValue, to: &json)
        }
        json += Array(#","registration":"#.utf8)
        JSONText.append(registration, to: &json)
        if let proof {
            json += Array(
                #","expires":\#(proof.expiry),"proof":"\#(Base64URL.encode(proof.bytes))""#.utf8)
        }
        if wantsVisibleChallenge { json += Array(#","visible":true"#.utf8) }
        return String(decoding: json, as: UTF8.self) + "}"
    }
}

extension RegistrationRequest: CustomStringConvertible, Redacted {
    /// The kind of the request, without its members.
    public var description: String {
        proof == nil ? "RegistrationRequest" : "RegistrationRequest with a proof"
    }
}

extension RegistrationProof {
    /// Parses the members `expires` and `proof` of a request; `nil` if both are missing.
    fileprivate init?(in document: JSONDocument, _ bytes: Span<UInt8>) throws(PushCryptError) {
        let expires = document.member("expires", in: bytes)
        let proof = document.member("proof", in: bytes)
        guard expires != nil || proof != nil else { return nil }
        guard let expiry = document.integer(expires, in: bytes),
            expiry <= JSONDocument.maximumInteger,
            let text = document.string(proof, in: bytes),
            let decoded = try? Base64URL.decode(Array(text.utf8).span),
            decoded.count == ProofComputation.length
        else {
            throw RegistrationRequest.malformed(
                """
                "expires" isn't an integer, or "proof" isn't 43 characters. Send the answer \
                unchanged.
                """)
        }
        self.init(expiry: expiry, bytes: decoded)
    }
}
