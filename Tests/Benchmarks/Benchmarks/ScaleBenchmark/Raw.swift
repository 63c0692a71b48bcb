import RawSodium

/// The base of all ratios: libsodium's calls for each recipient, on messages of the same length.
struct Raw: Sendable {
    private let keys: [[UInt8]]
    private let message: [UInt8]
    private let signingKey: [UInt8]?

    init(messageLength: Int, isSigned: Bool, to keys: [[UInt8]]) {
        self.keys = keys
        message = [UInt8](repeating: 7, count: messageLength)
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        precondition(sodium_init() >= 0 && crypto_sign_keypair(&publicKey, &secretKey) == 0)
        signingKey = isSigned ? secretKey : nil
    }

    /// Signs and seals one message for each recipient of a range.
    func seal(_ range: Range<Int>) {
        var box = [UInt8](repeating: 0, count: message.count + 48)
        var signature = [UInt8](repeating: 0, count: 64)
        for number in range {
            if let signingKey {
                // The signature covers 64 more bytes and not itself.
                precondition(
                    crypto_sign_detached(
                        &signature, nil, message, UInt64(message.count), signingKey) == 0)
            }
            precondition(
                crypto_box_seal(&box, message, UInt64(message.count), keys[number % keys.count])
                    == 0)
        }
    }
}
