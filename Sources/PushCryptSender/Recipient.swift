public import PushCryptCore

/// A device as a server knows it: where to send, and what to seal with.
public struct Recipient: Sendable, Hashable {
    /// The APNs device token, in lowercase hexadecimal digits.
    public let deviceToken: String

    /// What the device has registered.
    public let registration: Registration

    /// The key to seal with.
    public var key: RecipientPublicKey { registration.key }

    /// How new the key is.
    public var generation: UInt64 { registration.generation }

    /// Takes a device's registration.
    ///
    /// - Parameters:
    ///   - deviceToken: the token that the device got from APNs, in hexadecimal digits.
    ///   - registration: what it has registered.
    /// - Throws: ``PushCryptError`` with `malformedRegistration` where the token is none.
    public init(deviceToken: String, registration: Registration) throws(PushCryptError) {
        let token = deviceToken.lowercased()
        // Apple does not promise a length; 32 bytes are usual, and an empty one is none.
        let isHexadecimal = token.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isHexadecimal, token.utf8.count.isMultiple(of: 2), (32...400).contains(token.utf8.count) else {
            throw PushCryptError(
                .malformedRegistration, "The device token is not a number of bytes in hexadecimal digits.")
        }
        self.deviceToken = token
        self.registration = registration
    }

    /// What a server keeps when a registration arrives: the one rule that is the same in every backend.
    ///
    /// It is a pure function: hand it what is known of the token, keep what it returns. Where it throws, keep what is known.
    ///
    /// - Parameters:
    ///   - known: what is known of this device; `nil` where nothing is.
    ///   - json: the registration as it arrived, in an authenticated request.
    ///   - deviceToken: the device's token.
    /// - Returns: what to keep.
    /// - Throws: ``PushCryptError`` with `staleGeneration` where the registration is older than what is known, or says
    ///   something else under the same generation; `malformedRegistration`, `malformedJWK`, `wrongKeyType` or `invalidKey`
    ///   where it is none.
    public static func updating(
        _ known: Recipient?, with json: [UInt8], deviceToken: String
    ) throws(PushCryptError) -> Recipient {
        let fresh = try Recipient(deviceToken: deviceToken, registration: Registration(parsing: json))
        guard let known else { return fresh }
        guard known.deviceToken == fresh.deviceToken else {
            throw PushCryptError(
                .malformedRegistration, "The registration is of another device token than what is known.")
        }
        guard fresh.generation >= known.generation else {
            throw PushCryptError(
                .staleGeneration,
                "The registration has generation \(fresh.generation), and \(known.generation) is known already.")
        }
        guard fresh.generation > known.generation || fresh.key == known.key else {
            throw PushCryptError(
                .staleGeneration,
                "Another key is known under the registration's generation \(fresh.generation). Register again.")
        }
        return fresh
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameters:
    ///   - known: what is known of this device; `nil` where nothing is.
    ///   - json: the registration as it arrived.
    ///   - deviceToken: the device's token.
    /// - Returns: what to keep.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public static func updating(
        _ known: Recipient?, with json: some Collection<UInt8>, deviceToken: String
    ) throws(PushCryptError) -> Recipient {
        try updating(known, with: Array(json), deviceToken: deviceToken)
    }
}
