import RawSodium

/// libsodium's signatures on prepared buffers.
public final class RawSignatures {
    private var publicKey = [UInt8](repeating: 0, count: 32)
    private var secretKey = [UInt8](repeating: 0, count: 64)
    private var message: [UInt8]
    private var signatures: [[UInt8]] = []
    private var next = 0

    /// Prepares a number of signatures of messages with a length.
    public init(messageLength: Int, count: Int) {
        message = [UInt8](repeating: 7, count: messageLength)
        precondition(sodium_init() >= 0 && crypto_sign_keypair(&publicKey, &secretKey) == 0)
        signatures = (0..<count).map {
            message[0] = UInt8($0)
            return signature()
        }
    }

    /// Signs the message.
    public func sign() {
        precondition(!signature().isEmpty)
    }

    /// Verifies the next signature: the time of a verification depends on the signature.
    public func verify() {
        message[0] = UInt8(next)
        precondition(
            crypto_sign_verify_detached(signatures[next], message, UInt64(message.count), publicKey)
                == 0)
        next = (next + 1) % signatures.count
    }

    private func signature() -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        precondition(
            crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey) == 0)
        return signature
    }
}
