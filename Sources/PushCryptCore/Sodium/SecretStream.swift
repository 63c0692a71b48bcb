internal import Clibsodium

/// A stream of chunks that are encrypted and authenticated with XChaCha20-Poly1305, in their order
/// and up to the last one (https://doc.libsodium.org/secret-key_cryptography/secretstream).
package struct SecretStream: ~Copyable {
    /// The length of a key in bytes.
    package static let keyLength = 32
    /// The length of the header at the beginning, in bytes.
    package static let headerLength = 24
    /// The length of a sealed chunk beyond its plaintext, in bytes.
    package static let overhead = 17

    private let state: GuardedState

    /// Begins to seal with a key of 32 bytes, and writes the header of 24 bytes.
    package init(sealingWith key: SecretBytes, header: inout MutableSpan<UInt8>)
        throws(PushCryptError)
    {
        precondition(key.count == Self.keyLength && header.count == Self.headerLength)
        let state = try GuardedState(length: crypto_secretstream_xchacha20poly1305_statebytes())
        _ = unsafe header.withUnsafeMutablePointer { header in
            unsafe key.withUnsafePointer {
                unsafe crypto_secretstream_xchacha20poly1305_init_push(state.stream, header, $0)
            }
        }
        self.state = state
    }

    /// Begins to open with a key of 32 bytes and the header of 24 bytes.
    package init(openingWith key: SecretBytes, header: Span<UInt8>) throws(PushCryptError) {
        precondition(key.count == Self.keyLength && header.count == Self.headerLength)
        let state = try GuardedState(length: crypto_secretstream_xchacha20poly1305_statebytes())
        _ = unsafe header.withUnsafePointer { header in
            unsafe key.withUnsafePointer {
                unsafe crypto_secretstream_xchacha20poly1305_init_pull(state.stream, header, $0)
            }
        }
        self.state = state
    }

    /// Seals a chunk into a span that is 17 bytes longer.
    package func seal(_ chunk: Span<UInt8>, isLast: Bool, into target: inout MutableSpan<UInt8>) {
        precondition(target.count == chunk.count + Self.overhead)
        let tag = isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : 0
        // Fails only for plaintext of more than 256 GB.
        _ = unsafe target.withUnsafeMutablePointer { output in
            unsafe chunk.withUnsafePointer {
                unsafe crypto_secretstream_xchacha20poly1305_push(
                    state.stream, output, nil, $0, UInt64(chunk.count), nil, 0, tag)
            }
        }
    }

    /// Opens a chunk into a span that is 17 bytes shorter, and returns a Boolean value that
    /// indicates whether it is the last one; `nil` if it isn't the next chunk, or was changed.
    package func open(_ chunk: Span<UInt8>, into target: inout MutableSpan<UInt8>) -> Bool? {
        precondition(target.count + Self.overhead == chunk.count)
        var tag: UInt8 = 0
        let status = unsafe target.withUnsafeMutablePointer { output in
            unsafe chunk.withUnsafePointer {
                unsafe crypto_secretstream_xchacha20poly1305_pull(
                    state.stream, output, nil, &tag, $0, UInt64(chunk.count), nil, 0)
            }
        }
        // The format has no other tags: a rekeying or a pushed chunk is a change.
        let isLast = tag == crypto_secretstream_xchacha20poly1305_tag_final()
        return status == 0 && (isLast || tag == 0) ? isLast : nil
    }
}

/// BLAKE2b with a digest of 32 bytes (RFC 7693), of bytes that arrive in parts.
package struct BLAKE2bDigest: ~Copyable {
    private let state: GuardedState

    /// Begins to hash.
    package init() throws(PushCryptError) {
        state = try GuardedState(length: crypto_generichash_statebytes())
        _ = unsafe crypto_generichash_init(state.hash, nil, 0, 32)
    }

    /// Adds bytes.
    package func update(_ bytes: Span<UInt8>) {
        _ = unsafe bytes.withUnsafePointer {
            unsafe crypto_generichash_update(state.hash, $0, UInt64(bytes.count))
        }
    }

    /// Returns the digest of all bytes.
    package consuming func finalize() -> Bytes32 {
        var digest = Bytes32()
        _ = unsafe digest.withUnsafeMutablePointer {
            unsafe crypto_generichash_final(state.hash, $0, 32)
        }
        return digest
    }
}

/// A state of libsodium in guarded memory, which is wiped with its owner.
@safe
private final class GuardedState {
    private let memory: UnsafeMutableRawPointer

    init(length: Int) throws(PushCryptError) {
        try Sodium.ready()
        guard let memory = unsafe sodium_malloc(length) else {
            throw PushCryptError(
                .sodiumUnavailable, "libsodium has no guarded memory left. Release unused keys.")
        }
        unsafe self.memory = memory
    }

    deinit { unsafe sodium_free(memory) }

    var stream: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state> {
        unsafe memory.assumingMemoryBound(to: crypto_secretstream_xchacha20poly1305_state.self)
    }

    var hash: OpaquePointer { unsafe OpaquePointer(memory) }
}
