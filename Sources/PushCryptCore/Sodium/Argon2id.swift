#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Argon2id (RFC 9106), which makes a key of a passphrase, slowly and with much memory, so that guessing costs as much
/// (https://doc.libsodium.org/password_hashing/default_phf).
package enum Argon2id {
    /// How much work it is.
    package struct Cost: Sendable, Hashable {
        /// How many passes there are over the memory.
        package let operations: UInt64
        /// How much memory is used, in bytes.
        package let memory: Int

        /// Takes a number of passes and an amount of memory in bytes.
        package init(operations: UInt64, memory: Int) {
            self.operations = operations
            self.memory = memory
        }

        /// What libsodium calls moderate: 3 passes over 256 MiB, about a second.
        package static let moderate = Cost(operations: 3, memory: 256 << 20)

        /// What a file may ask for: a file from elsewhere must not take all of the machine's memory or time.
        package var isBearable: Bool { (1...10).contains(operations) && ((8 << 10)...(1 << 30)).contains(memory) }
    }

    /// How long a salt is, in bytes.
    package static let saltLength = 16

    /// Makes a key of 32 bytes.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase, of any length.
    ///   - salt: 16 bytes, random, stored with what is protected.
    ///   - cost: how much work it is.
    /// - Returns: the key, in guarded memory.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` where there is not enough memory.
    package static func key(
        of passphrase: SecretBytes, salt: [UInt8], cost: Cost
    ) throws(PushCryptError) -> SecretBytes {
        try Sodium.ready()
        precondition(salt.count == saltLength)
        let length = UInt64(passphrase.count)
        return try SecretBytes(count: 32) { (key) throws(PushCryptError) in
            let status = unsafe key.lendMutable { key in
                unsafe passphrase.lend { passphrase in
                    unsafe crypto_pwhash(
                        key, 32, UnsafeRawPointer(passphrase).assumingMemoryBound(to: CChar.self),
                        length, salt, cost.operations, cost.memory, crypto_pwhash_ALG_ARGON2ID13)
                }
            }
            guard status == 0 else {
                throw PushCryptError(
                    .sodiumUnavailable,
                    "There is not enough memory to check the passphrase: \(cost.memory >> 20) MiB are needed.")
            }
        }
    }
}
