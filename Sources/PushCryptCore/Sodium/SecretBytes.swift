#if canImport(Darwin)
internal import Clibsodium
#else
internal import CSodium
#endif

/// Secret bytes in libsodium's guarded memory, owned by one object and wiped when it goes.
///
/// Only this package reads them.
///
/// `sodium_malloc` puts them between inaccessible pages, locks them out of swap and keeps them out of core dumps where the
/// system can (https://doc.libsodium.org/memory_management). Once written, the memory is read-only: nothing changes it
/// any more, which is why threads may share the object.
@safe
public final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// Makes room for secret bytes, all zero, and has them written.
    ///
    /// - Parameters:
    ///   - count: how many bytes there are.
    ///   - write: writes them.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable` where there is no memory, and what `write` throws.
    package init(count: Int, write: (inout MutableSpan<UInt8>) throws(PushCryptError) -> Void) throws(PushCryptError) {
        try Sodium.ready()
        // An allocation of nothing may be a null pointer, which would look like a failure.
        guard let address = unsafe sodium_malloc(max(count, 1)) else {
            throw PushCryptError(
                .sodiumUnavailable, "libsodium has no guarded memory left. Release keys that are no longer used.")
        }
        unsafe memory = UnsafeMutableBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: count)
        unsafe memory.initialize(repeating: 0)
        // Everything is set up, so `deinit` runs, wipes and frees, should one of these throw.
        var span = unsafe memory.mutableSpan
        try write(&span)
        guard unsafe sodium_mprotect_readonly(address) == 0 else {
            throw PushCryptError(.sodiumUnavailable, "libsodium could not protect the memory of a key.")
        }
    }

    deinit {
        // Makes the memory writable again, wipes it and checks its canary before it gives it back.
        unsafe sodium_free(memory.baseAddress)
    }

    /// How many bytes there are.
    package var count: Int { unsafe memory.count }

    /// Lends the bytes to be read; the span must not outlive the call, and cannot.
    package func read<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe UnsafeBufferPointer(memory).span)
    }

    /// Lends the bytes to C.
    func lend<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe UnsafeBufferPointer(memory).span.lend { unsafe body($0) }
    }

    /// Whether both hold the same bytes, in a time that depends on the number of bytes alone.
    package func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe lend { own in unsafe other.lend { unsafe sodium_memcmp(own, $0, count) == 0 } }
    }
}
