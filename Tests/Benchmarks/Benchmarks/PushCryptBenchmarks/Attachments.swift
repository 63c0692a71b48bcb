import Benchmark
import PushCryptAttachments
import PushCryptPayload
import RawSodium

// A file of 10 MB in chunks, and libsodium's stream with the same chunks, alone and with the digest
// that the format requires.
func attachmentBenchmarks() {
    for hasDigest in [false, true] {
        let base = hasDigest ? "raw stream and digest = 1000" : "raw stream alone = 1000"
        Benchmark("seal a file, \(base)") { benchmark in
            let file = AttachedFile()
            let raw = RawStream(hasDigest: hasDigest)
            interleave(
                benchmark, raw: { raw.seal() }, ours: { blackHole(file.seal { blackHole($0) }) })
        }
        Benchmark("open a file, \(base)") { benchmark in
            let file = AttachedFile()
            let raw = RawStream(hasDigest: hasDigest)
            var sealed: [[UInt8]] = []
            let seal = file.seal { sealed.append($0) }
            interleave(
                benchmark, raw: { raw.open() },
                ours: { blackHole((try? file.open(sealed, seal)) != nil) })
        }
    }
}

/// A file whose length is that of whole chunks, so that both sides do the same work.
private struct AttachedFile {
    static let chunkCount = 160
    static let length = chunkCount * AttachmentFormat.chunkLength
    private let chunk = [UInt8](repeating: 7, count: AttachmentFormat.chunkLength)

    /// Seals the file, and passes each part to a closure, which may write it.
    func seal(_ write: ([UInt8]) -> Void) -> MediaAttachment.Seal? {
        var start: [UInt8] = []
        guard var encryption = try? AttachmentEncryption(length: Self.length, start: &start) else {
            return nil
        }
        write(start)
        while encryption.nextLength > 0 { write(encryption.seal(chunk.span)) }
        return encryption.finish()
    }

    func open(_ parts: [[UInt8]], _ seal: MediaAttachment.Seal?) throws {
        guard let seal else { return }
        var decryption = try AttachmentDecryption(seal)
        var length = 0
        for part in parts { try decryption.update(part.span) { length += $0.count } }
        try decryption.finish()
        precondition(length == Self.length)
    }
}

/// libsodium's stream on prepared buffers.
private final class RawStream {
    private let hasDigest: Bool
    private let digest = OpaquePointer(
        UnsafeMutableRawPointer.allocate(byteCount: crypto_generichash_statebytes(), alignment: 64))
    private let chunk = [UInt8](repeating: 7, count: AttachmentFormat.chunkLength)
    private var key = [UInt8](repeating: 1, count: 32)
    private var header = [UInt8](repeating: 0, count: 24)
    private var opened: [UInt8]
    private var sealed = [UInt8](repeating: 0, count: AttachmentFormat.chunkLength + 17)
    private var chunks: [[UInt8]] = []

    init(hasDigest: Bool) {
        self.hasDigest = hasDigest
        opened = chunk
        precondition(sodium_init() >= 0)
        var chunks: [[UInt8]] = []
        seal { chunks.append($0) }
        self.chunks = chunks
    }

    deinit { UnsafeMutableRawPointer(digest).deallocate() }

    func seal(_ write: ([UInt8]) -> Void = { blackHole($0) }) {
        var stream = crypto_secretstream_xchacha20poly1305_state()
        crypto_secretstream_xchacha20poly1305_init_push(&stream, &header, key)
        crypto_generichash_init(digest, nil, 0, 32)
        for number in 1...AttachedFile.chunkCount {
            let tag: UInt8 = number == AttachedFile.chunkCount ? 3 : 0
            crypto_secretstream_xchacha20poly1305_push(
                &stream, &sealed, nil, chunk, UInt64(chunk.count), nil, 0, tag)
            if hasDigest { crypto_generichash_update(digest, sealed, UInt64(sealed.count)) }
            write(sealed)
        }
        finish()
    }

    func open() {
        var stream = crypto_secretstream_xchacha20poly1305_state()
        var tag: UInt8 = 0
        crypto_secretstream_xchacha20poly1305_init_pull(&stream, header, key)
        crypto_generichash_init(digest, nil, 0, 32)
        for chunk in chunks {
            if hasDigest { crypto_generichash_update(digest, chunk, UInt64(chunk.count)) }
            precondition(
                crypto_secretstream_xchacha20poly1305_pull(
                    &stream, &opened, nil, &tag, chunk, UInt64(chunk.count), nil, 0) == 0)
        }
        finish()
    }

    private func finish() {
        var result = [UInt8](repeating: 0, count: 32)
        crypto_generichash_final(digest, &result, 32)
        blackHole(result)
    }
}
