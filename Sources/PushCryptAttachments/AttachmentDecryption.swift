package import PushCryptCore
package import PushCryptPayload

/// The decryption of a file in parts of any length; its parts aren't the whole file until
/// ``finish()`` has returned.
package struct AttachmentDecryption: ~Copyable {
    private let seal: MediaAttachment.Seal
    private let secret: SecretBytes
    private let digest: BLAKE2bDigest
    private var stream: SecretStream?
    /// The bytes that arrived since the last whole chunk.
    private var pending: [UInt8] = []
    /// The bytes of the padded file that are still to come.
    private var remainingPadded: Int
    /// The bytes of the file that are still to come.
    private var remaining: Int

    /// Begins to decrypt.
    package init(_ seal: MediaAttachment.Seal) throws(PushCryptError) {
        let secret = try SecretBytes(copying: seal.key.array.span)
        digest = try BLAKE2bDigest()
        self.seal = seal
        self.secret = secret
        remainingPadded = AttachmentFormat.paddedLength(seal.length)
        remaining = seal.length
        pending.reserveCapacity(AttachmentFormat.chunkLength + SecretStream.overhead)
    }

    /// Decrypts the next bytes, and calls a closure with each part of the file, or throws
    /// `damagedAttachment`.
    package mutating func update(
        _ bytes: Span<UInt8>, _ write: (Span<UInt8>) throws(PushCryptError) -> Void
    ) throws(PushCryptError) {
        digest.update(bytes)
        var position = 0
        while position < bytes.count {
            let wanted = nextLength - pending.count
            guard wanted > 0 else { throw Self.damaged("It is longer than announced") }
            let end = min(position + wanted, bytes.count)
            pending += [UInt8](copying: bytes.extracting(position..<end))
            position = end
            if pending.count == nextLength { try open(write) }
        }
    }

    /// Checks that the file is complete, or throws `damagedAttachment`.
    package consuming func finish() throws(PushCryptError) {
        guard stream != nil, remainingPadded == 0 else {
            throw Self.damaged("It is shorter than announced")
        }
        guard digest.finalize() == seal.digest else { throw Self.damaged("Its digest differs") }
    }

    /// The length of the next part of the sealed file; 0 after the last one.
    private var nextLength: Int {
        if stream == nil { return AttachmentFormat.startLength }
        return remainingPadded == 0
            ? 0 : min(remainingPadded, AttachmentFormat.chunkLength) + SecretStream.overhead
    }

    private mutating func open(_ write: (Span<UInt8>) throws(PushCryptError) -> Void)
        throws(PushCryptError)
    {
        defer { pending.removeAll(keepingCapacity: true) }
        guard stream != nil else {
            guard pending[0] == AttachmentFormat.version else {
                throw Self.damaged("Its version is unknown")
            }
            stream = try SecretStream(
                openingWith: secret, header: pending.span.extracting(droppingFirst: 1))
            return
        }
        var text = [UInt8](repeating: 0, count: pending.count - SecretStream.overhead)
        var span = text.mutableSpan
        guard let isLast = stream?.open(pending.span, into: &span) else {
            throw Self.damaged("A part is missing or was changed")
        }
        remainingPadded -= text.count
        let content = min(remaining, text.count)
        remaining -= content
        guard isLast == (remainingPadded == 0), text[content...].allSatisfy({ $0 == 0 }) else {
            throw Self.damaged("Its end is wrong")
        }
        if content > 0 { try write(text.span.extracting(first: content)) }
    }

    private static func damaged(_ problem: String) -> PushCryptError {
        PushCryptError(
            .damagedAttachment,
            "The attachment can't be opened. \(problem). Upload the sealed file again.")
    }
}
