internal import Clibsodium

/// Argon2id (RFC 9106), which derives a key from a passphrase slowly and with much memory, to make
/// guessing expensive (https://doc.libsodium.org/password_hashing/default_phf).
package enum Argon2id {
    /// The time and memory for one derivation.
    package struct Cost: Sendable, Hashable {
        /// The number of passes over the memory.
        package let operations: UInt64
        /// The amount of memory in bytes.
        package let memory: Int

        /// Creates a cost from a number of passes and an amount of memory in bytes.
        package init(operations: UInt64, memory: Int) {
            self.operations = operations
            self.memory = memory
        }

        /// Three passes over 256 MiB, about one second: libsodium's level `MODERATE`.
        package static let moderate = Cost(operations: 3, memory: 256 << 20)

        /// A Boolean value that indicates whether a file may require this cost without using up the
        /// machine.
        package var isAcceptable: Bool {
            (1...10).contains(operations) && ((8 << 10)...(1 << 30)).contains(memory)
        }
    }

    /// The length of a salt in bytes.
    package static let saltLength = 16

    /// Derives a key of 32 bytes from a passphrase of any length and a random salt of 16 bytes.
    package static func key(
        of passphrase: SecretBytes, salt: [UInt8], cost: Cost
    ) throws(PushCryptError) -> SecretBytes {
        try Sodium.ready()
        precondition(salt.count == saltLength)
        let length = UInt64(passphrase.count)
        return try SecretBytes(count: 32) { (key) throws(PushCryptError) in
            let status = unsafe key.withUnsafeMutablePointer { key in
                unsafe passphrase.withUnsafePointer { passphrase in
                    unsafe crypto_pwhash(
                        key, 32, UnsafeRawPointer(passphrase).assumingMemoryBound(to: CChar.self),
                        length, salt, cost.operations, cost.memory, crypto_pwhash_ALG_ARGON2ID13)
                }
            }
            guard status == 0 else {
                throw PushCryptError(
                    .sodiumUnavailable,
                    """
                    The passphrase requires \(max(cost.memory >> 20, 1)) MiB of memory. Free \
                    memory.
                    """)
            }
        }
    }
}
