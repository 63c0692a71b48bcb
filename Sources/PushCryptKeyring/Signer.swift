public import PushCryptCore

/// A key that signs: a ``SigningKey`` in this process, or a key elsewhere that a function signs
/// with.
///
/// ```swift
/// protocol KeyService: Sendable {
///     func sign(_ message: [UInt8], algorithm: String) throws -> [UInt8]
/// }
///
/// func signer(with service: any KeyService) -> Signer {
///     Signer(publicKey: verificationKey) { message in
///         try service.sign(message, algorithm: "Ed25519")
///     }
/// }
/// ```
public struct Signer: Sendable {
    /// The public half, which devices check signatures with.
    public let publicKey: VerificationKey

    private enum Method: Sendable {
        case key(SigningKey)
        case function(@Sendable ([UInt8]) throws -> [UInt8])
    }

    private let method: Method

    /// Signs with a key in this process.
    public init(_ key: SigningKey) {
        publicKey = key.publicKey
        method = .key(key)
    }

    /// Signs with a function, for a key in a secret manager, a KMS or an HSM.
    ///
    /// The function is called for each push, on the thread that seals it, and blocks this thread.
    /// Sealing on several threads calls it at the same time. Each signature is verified, which
    /// takes about twice as long as signing with a key in the process.
    ///
    /// - Parameters:
    ///   - publicKey: The public half of the key.
    ///   - sign: Returns the Ed25519 signature (RFC 8032) of the message: 64 bytes. The message is
    ///     104 bytes longer than the padded payload, and isn't hashed before. It contains the
    ///     plaintext of the push. An error that it throws becomes `signerFailed`, which names only
    ///     the error's type.
    public init(
        publicKey: VerificationKey, sign: @escaping @Sendable (_ message: [UInt8]) throws -> [UInt8]
    ) {
        self.publicKey = publicKey
        method = .function(sign)
    }

    /// Signs a part of a buffer and writes the signature of 64 bytes into another part of it.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `signerFailed`.
    package func sign(_ message: Range<Int>, of buffer: inout [UInt8], into offset: Int)
        throws(PushCryptError)
    {
        switch method {
        case .key(let key): try key.sign(message, of: &buffer, into: offset)
        case .function(let function):
            let message = Array(buffer[message])
            buffer.replaceSubrange(
                offset..<(offset + Ed25519.signatureLength),
                with: try signature(of: message, by: function))
        }
    }

    /// Returns the signature of a message.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` or `signerFailed`.
    func signature(of message: [UInt8]) throws(PushCryptError) -> [UInt8] {
        var buffer = message + [UInt8](repeating: 0, count: Ed25519.signatureLength)
        try sign(0..<message.count, of: &buffer, into: message.count)
        return Array(buffer[message.count...])
    }

    private func signature(
        of message: [UInt8], by function: ([UInt8]) throws -> [UInt8]
    ) throws(PushCryptError) -> [UInt8] {
        let signature: [UInt8]
        do {
            signature = try function(message)
        } catch let error as PushCryptError where error.code == .signerFailed {
            throw error
        } catch {
            // The error of the function may contain anything, so only its type is repeated.
            throw PushCryptError(
                .signerFailed,
                """
                The signer of the key \(publicKey.keyID) threw \(type(of: error)). Check its \
                service.
                """)
        }
        // An invalid signature would cost the device's user the text.
        do throws(PushCryptError) {
            try Ed25519.verify(signature.span, of: message.span, with: publicKey.bytes)
        } catch {
            guard error.code == .invalidSignature else { throw error }
            throw PushCryptError(
                .signerFailed,
                """
                The signer's signature doesn't fit the key \(publicKey.keyID). Check which key it \
                signs with.
                """)
        }
        return signature
    }
}

extension Signer: CustomStringConvertible, Redacted {
    /// The public key ID, without the private key.
    public var description: String { "signer \(publicKey.keyID)" }
}
