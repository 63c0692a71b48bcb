internal import Clibsodium
internal import Foundation

/// libsodium without the code of this package, for comparisons.
package enum RawSodium {
    private static let ready = sodium_init()

    package static func publicKey(of secret: [UInt8]) -> [UInt8] {
        precondition(ready >= 0)
        var key = [UInt8](repeating: 0, count: 32)
        _ = unsafe crypto_scalarmult_base(&key, secret)
        return key
    }

    /// Seals into a buffer that is filled with 0xAA.
    package static func seal(_ message: [UInt8], to key: [UInt8]) -> (status: Int32, box: [UInt8]) {
        precondition(ready >= 0)
        var box = [UInt8](repeating: 0xAA, count: message.count + 48)
        let status = unsafe crypto_box_seal(&box, message, UInt64(message.count), key)
        return (status, box)
    }

    /// Opens into a buffer that is filled with 0xAA.
    package static func open(_ box: [UInt8], _ key: [UInt8], _ secret: [UInt8]) -> (
        status: Int32, message: [UInt8]
    ) {
        precondition(ready >= 0)
        var message = [UInt8](repeating: 0xAA, count: max(box.count - 48, 1))
        let status = unsafe crypto_box_seal_open(&message, box, UInt64(box.count), key, secret)
        return (status, box.count > 48 ? message : box.count == 48 ? [] : message)
    }

    /// Returns a nonce and a secretbox under it.
    package static func secretbox(_ message: [UInt8], nonce: [UInt8], _ secret: [UInt8]) -> [UInt8]
    {
        precondition(ready >= 0)
        var box = [UInt8](repeating: 0, count: message.count + 16)
        _ = unsafe crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, secret)
        return nonce + box
    }

    /// Opens a nonce and a secretbox; returns `nil` if it was sealed under another secret.
    package static func openSecretbox(_ bytes: [UInt8], _ secret: [UInt8]) -> [UInt8]? {
        precondition(ready >= 0)
        guard bytes.count >= 40 else { return nil }
        let (nonce, box) = (Array(bytes.prefix(24)), Array(bytes.dropFirst(24)))
        var message = [UInt8](repeating: 0, count: box.count - 16)
        let status = unsafe crypto_secretbox_open_easy(
            &message, box, UInt64(box.count), nonce, secret)
        return status == 0 ? message : nil
    }

    /// Returns BLAKE2b without a key.
    package static func hash(_ bytes: [UInt8], count: Int) -> [UInt8] {
        precondition(ready >= 0)
        var digest = [UInt8](repeating: 0, count: count)
        _ = unsafe crypto_generichash(&digest, count, bytes, UInt64(bytes.count), nil, 0)
        return digest
    }

    package static func signingKeyPair(of seed: [UInt8]) -> (publicKey: [UInt8], secretKey: [UInt8])
    {
        precondition(ready >= 0)
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        _ = unsafe crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        return (publicKey, secretKey)
    }

    package static func signature(of message: [UInt8], seed: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        let secretKey = signingKeyPair(of: seed).secretKey
        _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
        return signature
    }

    package static func verifies(_ signature: [UInt8], of message: [UInt8], with key: [UInt8])
        -> Bool
    {
        precondition(ready >= 0)
        return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), key)
            == 0
    }

    /// Fills all random bytes of this process with zeros from now on, so that a test can predict
    /// names.
    package static func removeRandomness() {
        precondition(ready >= 0)
        let zeros = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        unsafe zeros.initialize(to: randombytes_implementation())
        unsafe zeros.pointee.random = { 0 }
        unsafe zeros.pointee.buf = { bytes, count in
            if let bytes = unsafe bytes { unsafe memset(bytes, 0, count) }
        }
        _ = unsafe randombytes_set_implementation(zeros)
    }

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return digest
    }
}
