@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// Invariants of attachments.
///
/// An input is a payload, or edits of an authentic sealed file.
///
/// - An accepted attachment is the one of its JSON, is on a web server, and isn't longer than its
///   type allows.
/// - Only the authentic file opens, in parts of any length, and it gives the file.
/// - No more bytes are written than the file has, and those are its own.
enum Attachment {
    private static let file =
        Array("GIF89a~secret~".utf8) + (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private static let sealed = fixed { () throws(PushCryptError) in try seal() }

    private struct Sealed {
        let bytes: [UInt8]
        let seal: MediaAttachment.Seal
    }

    private static func seal() throws(PushCryptError) -> Sealed {
        var bytes: [UInt8] = []
        var encryption = try AttachmentEncryption(length: file.count, start: &bytes)
        var left = file[...]
        while encryption.nextLength > 0 {
            var chunk = [UInt8](repeating: 0, count: encryption.nextLength)
            let part = left.prefix(chunk.count)
            chunk.replaceSubrange(0..<part.count, with: part)
            left = left.dropFirst(part.count)
            bytes += encryption.seal(chunk.span)
        }
        return Sealed(bytes: bytes, seal: encryption.finish())
    }

    static func check(_ input: [UInt8]) {
        if input.first == UInt8(ascii: "{") { return checkPayload(input) }
        if let type = MediaType(contentsBeginningWith: input) {
            require(
                type.fileExtension != nil && type.maximumLength > 0, "a detected type is displayed")
        }
        var reader = InputReader(input)
        let step = max(1, reader.short() % 4096)
        let edited = reader.edited(sealed.bytes)
        let written = accepted { () throws(PushCryptError) in try open(edited, step: step) }
        require((written != nil) == (edited == sealed.bytes), "only the authentic file opens")
        require(written ?? file == file, "an opened file is the file")
    }

    private static func open(_ bytes: [UInt8], step: Int) throws(PushCryptError) -> [UInt8] {
        var decryption = try AttachmentDecryption(sealed.seal)
        var written: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + step, bytes.count)
            try decryption.update(bytes.span.extracting(start..<end)) {
                written += [UInt8](copying: $0)
            }
            require(written.count <= file.count, "no more bytes are written than the file has")
            require(file.starts(with: written), "written bytes are the file's")
            start = end
        }
        try decryption.finish()
        return written
    }

    private static func checkPayload(_ input: [UInt8]) {
        let found = accepted { () throws(PushCryptError) in try MediaAttachment.all(in: input) }
        for attachment in found ?? [] {
            require(
                (try? MediaAttachment(attachment.value)) == attachment,
                "an attachment is the one of its JSON")
            let address = attachment.address
            require(
                address?.host?.isEmpty == false && address?.user == nil,
                "an address has a host and no user")
            require(
                ["http", "https"].contains(address?.scheme?.lowercased()),
                "an address is on a web server")
            require(attachment.type.fileExtension != nil, "a type is one that the system displays")
            guard let seal = attachment.seal else { continue }
            require(
                (0...attachment.type.maximumLength).contains(seal.length), "a file isn't too long")
            let padded = AttachmentFormat.paddedLength(seal.length)
            require(
                padded >= max(seal.length, 1024)
                    && padded <= max(1024, seal.length + seal.length / 8),
                "Padmé adds 12 %")
        }
    }
}
