package import PushCryptCore
package import PushCryptPayload

/// The decryption of a file in parts of any length; its text isn't the whole file until ``finish()`` has returned.
package struct AttachmentDecryption: ~Copyable {
    private let seal: MediaAttachment.Seal
    private let secret: SecretBytes
    private let digest: BLAKE2bDigest
    private var stream: SecretStream?
    /// The bytes that arrived since the last whole chunk.
    private var pending: [UInt8] = []
    /// The bytes of padded text, and of the file, that are still to come.
    private var left: (padded: Int, file: Int)

    /// Begins to decrypt.
    package init(_ seal: MediaAttachment.Seal) throws(PushCryptError) {
        let secret = try SecretBytes(copying: seal.key.array.span)
        digest = try BLAKE2bDigest()
        (self.seal, self.secret) = (seal, secret)
        left = (AttachmentFormat.paddedLength(seal.length), seal.length)
        pending.reserveCapacity(AttachmentFormat.chunkLength + SecretStream.overhead)
    }

    /// Decrypts the next bytes, and calls a closure with each part of the file, or throws `damagedAttachment`.
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
        guard stream != nil, left.padded == 0 else { throw Self.damaged("It is shorter than announced") }
        guard digest.finalize() == seal.digest else { throw Self.damaged("Its digest differs") }
    }

    /// The length of the next part of the sealed file; 0 after the last one.
    private var nextLength: Int {
        if stream == nil { return AttachmentFormat.startLength }
        return left.padded == 0 ? 0 : min(left.padded, AttachmentFormat.chunkLength) + SecretStream.overhead
    }

    private mutating func open(_ write: (Span<UInt8>) throws(PushCryptError) -> Void) throws(PushCryptError) {
        defer { pending.removeAll(keepingCapacity: true) }
        guard stream != nil else {
            guard pending[0] == AttachmentFormat.version else { throw Self.damaged("Its version is unknown") }
            stream = try SecretStream(openingWith: secret, header: pending.span.extracting(droppingFirst: 1))
            return
        }
        var text = [UInt8](repeating: 0, count: pending.count - SecretStream.overhead)
        var span = text.mutableSpan
        guard let isLast = stream?.open(pending.span, into: &span) else {
            throw Self.damaged("A part is missing or was changed")
        }
        left.padded -= text.count
        let content = min(left.file, text.count)
        left.file -= content
        guard isLast == (left.padded == 0), text[content...].allSatisfy({ $0 == 0 }) else {
            throw Self.damaged("Its end is wrong")
        }
        if content > 0 { try write(text.span.extracting(first: content)) }
    }

    private static func damaged(_ problem: String) -> PushCryptError {
        PushCryptError(.damagedAttachment, "The attachment can't be opened. \(problem). Upload the sealed file again.")
    }
}
