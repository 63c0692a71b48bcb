package import PushCryptCore

/// The nonce of a challenge and the proof of its answer, as section 14 of the format defines them.
package enum ProofComputation {
    /// The number of bytes of a nonce, a proof and a secret.
    static let length = 32

    private static let challengeContext = Array("pushcrypt/v1/challenge".utf8) + [0]
    private static let proofContext = Array("pushcrypt/v1/proof".utf8) + [0]

    /// The inputs of a challenge, which the server knows again when the answer comes.
    package struct Inputs: Sendable, Hashable {
        let topic: String
        let carrier: Carrier
        let account: String
        package let token: String
        package let digest: [UInt8]
        let expiry: UInt64

        /// Collects the inputs.
        ///
        /// - Parameters:
        ///   - request: The registration as the device has sent it, its carrier and its token.
        ///   - account: The server's name of the account.
        ///   - topic: The app's bundle ID.
        ///   - expiry: The end of the challenge, in seconds since 1970.
        /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
        package init(
            _ request: RegistrationRequest, account: String, topic: String, expiry: UInt64
        ) throws(PushCryptError) {
            self.topic = topic
            carrier = request.carrier
            self.account = account
            token = request.carrier.stored(request.deviceToken)
            digest = try ProofComputation.digest(of: request.registration)
            self.expiry = expiry
        }
    }

    /// Returns the digest of a registration as the device has sent it.
    package static func digest(of registration: String) throws(PushCryptError) -> [UInt8] {
        try BLAKE2b.hash(Array(registration.utf8))
    }

    /// Returns the nonce of a challenge.
    package static func nonce(for inputs: Inputs, secret: SecretBytes) throws(PushCryptError)
        -> [UInt8]
    {
        var bytes = challengeContext
        bytes.append(withLength: inputs.topic)
        bytes.append(withLength: inputs.carrier.rawValue)
        bytes.append(withLength: inputs.account)
        bytes.append(withLength: inputs.token)
        bytes.append(withLength: inputs.digest)
        var expiry = [UInt8](repeating: 0, count: 8)
        expiry.store(bigEndian: inputs.expiry, at: 0)
        bytes.append(withLength: expiry)
        return try BLAKE2b.hash(bytes, keyedBy: secret)
    }

    /// Returns the proof of a device.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the challenge.
    ///   - digest: The digest of the registration that the device has begun.
    ///   - token: The device's own token, as servers store it.
    ///   - account: The server's name of the device's own account.
    /// - Returns: The proof.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `invalidKey`.
    package static func proof(
        nonce: [UInt8], digest: [UInt8], token: String, account: String
    ) throws(PushCryptError) -> [UInt8] {
        var bytes = proofContext
        bytes.append(withLength: digest)
        bytes.append(withLength: token)
        bytes.append(withLength: account)
        return try BLAKE2b.hash(bytes, keyedBy: SecretBytes(copying: nonce.span))
    }
}
