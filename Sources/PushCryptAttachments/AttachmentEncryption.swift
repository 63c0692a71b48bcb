internal import PushCryptCore
internal import PushCryptPayload

/// The encryption of a file in chunks, with memory for one chunk.
struct AttachmentEncryption: ~Copyable {
    private let key: Bytes32
    private let length: Int
    private let stream: SecretStream
    private let digest: BLAKE2bDigest
    /// The bytes of the padded file that aren't sealed yet.
    private var left: Int

    /// Begins to encrypt a file with a new key, and returns the first bytes of the sealed file.
    init(length: Int, start: inout [UInt8]) throws(PushCryptError) {
        let secret = try SecretBytes(randomCount: SecretStream.keyLength)
        let key = try secret.withSpan { (bytes) throws(PushCryptError) in try Bytes32(bytes) }
        var header = [UInt8](repeating: 0, count: SecretStream.headerLength)
        var span = header.mutableSpan
        let stream = try SecretStream(sealingWith: secret, header: &span)
        digest = try BLAKE2bDigest()
        self.stream = stream
        self.key = key
        self.length = length
        left = AttachmentFormat.paddedLength(length)
        start = [AttachmentFormat.version] + header
        digest.update(start.span)
    }

    /// The length of the next chunk before it is sealed; 0 after the last one.
    var nextLength: Int { min(left, AttachmentFormat.chunkLength) }

    /// Seals the next chunk of the padded file, and returns its bytes.
    mutating func seal(_ chunk: Span<UInt8>) -> [UInt8] {
        left -= chunk.count
        var sealed = [UInt8](repeating: 0, count: chunk.count + SecretStream.overhead)
        var span = sealed.mutableSpan
        stream.seal(chunk, isLast: left == 0, into: &span)
        digest.update(sealed.span)
        return sealed
    }

    /// Returns the facts that open the file.
    consuming func finish() -> MediaAttachment.Seal {
        MediaAttachment.Seal(key: key, length: length, digest: digest.finalize())
    }
}
