internal import Clibsodium

/// Secret bytes in libsodium's guarded memory, which is wiped when the object is deallocated.
///
/// `sodium_malloc` surrounds the memory with inaccessible pages, locks it out of swap and excludes
/// it from core dumps if the system can (https://doc.libsodium.org/memory_management). The memory
/// is read-only after initialization, so threads may share the object.
@safe
package final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// Allocates zero bytes and calls a closure that overwrites them.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`, or the error of the closure.
    package init(count: Int, write: (inout MutableSpan<UInt8>) throws(PushCryptError) -> Void)
        throws(PushCryptError)
    {
        try Sodium.ready()
        // An allocation of zero bytes may be a null pointer, which would look like a failure.
        guard let address = unsafe sodium_malloc(max(count, 1)) else {
            throw PushCryptError(
                .sodiumUnavailable, "libsodium has no guarded memory left. Release unused keys.")
        }
        unsafe memory = UnsafeMutableBufferPointer(
            start: address.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe memory.initialize(repeating: 0)
        // All properties are set, so `deinit` wipes the memory if one of these calls throws.
        var span = unsafe memory.mutableSpan
        try write(&span)
        guard unsafe sodium_mprotect_readonly(address) == 0 else {
            throw PushCryptError(
                .sodiumUnavailable, "libsodium could not protect the memory of a key. Try again.")
        }
    }

    /// Copies bytes into guarded memory.
    package convenience init(copying bytes: Span<UInt8>) throws(PushCryptError) {
        try self.init(count: bytes.count) { (target) throws(PushCryptError) in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    /// Creates random bytes: a secret key of X25519, or a seed of Ed25519.
    package convenience init(randomCount count: Int) throws(PushCryptError) {
        try self.init(count: count) { (target) throws(PushCryptError) in
            unsafe target.withUnsafeMutablePointer { unsafe randombytes_buf($0, count) }
        }
    }

    deinit {
        // Makes the memory writable, wipes it and checks its canary before it frees it.
        unsafe sodium_free(memory.baseAddress)
    }

    /// The number of bytes.
    package var count: Int { unsafe memory.count }

    /// Calls a closure with the bytes.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The span doesn't keep the object, whose `deinit` frees the memory.
        defer { withExtendedLifetime(self) {} }
        return try body(unsafe UnsafeBufferPointer(memory).span)
    }

    /// Calls a closure with a pointer to the bytes.
    func withUnsafePointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withSpan { unsafe $0.withUnsafePointer { unsafe body($0) } }
    }

    /// Returns a Boolean value that indicates whether two secrets are equal, in a time that depends
    /// on the number of bytes only.
    package func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafePointer { own in
            unsafe other.withUnsafePointer { unsafe sodium_memcmp(own, $0, count) == 0 }
        }
    }
}
