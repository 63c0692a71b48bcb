import RawSodium

/// The base of all ratios: libsodium's calls on prepared buffers.
public final class Raw {
    /// The recipient's key.
    public let publicKey: [UInt8]
    private let secretKey: [UInt8]
    private let message: [UInt8]
    private var box: [UInt8]
    private var opened: [UInt8]

    /// Prepares messages of a length.
    public init(messageLength: Int) {
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 32)
        precondition(sodium_init() >= 0 && crypto_box_keypair(&publicKey, &secretKey) == 0)
        self.publicKey = publicKey
        self.secretKey = secretKey
        message = [UInt8](repeating: 7, count: messageLength)
        box = [UInt8](repeating: 0, count: messageLength + 48)
        opened = [UInt8](repeating: 0, count: messageLength)
        seal()
    }

    /// Seals the message.
    public func seal() {
        precondition(crypto_box_seal(&box, message, UInt64(message.count), publicKey) == 0)
    }

    /// Opens the last box.
    public func open() {
        precondition(
            crypto_box_seal_open(&opened, box, UInt64(box.count), publicKey, secretKey) == 0)
    }
}
