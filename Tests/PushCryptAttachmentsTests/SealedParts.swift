import PushCryptTesting
import TestSupport

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// The facts about a sealed file, and its bytes in their parts: the start, and each chunk.
struct SealedParts {
    var parts: [[UInt8]]
    let seal: MediaAttachment.Seal

    init(_ file: [UInt8]) throws {
        var start: [UInt8] = []
        var encryption = try AttachmentEncryption(length: file.count, start: &start)
        parts = [start]
        let padding = AttachmentFormat.paddedLength(file.count) - file.count
        let padded = file + [UInt8](repeating: 0, count: padding)
        var position = 0
        while encryption.nextLength > 0 {
            let end = position + encryption.nextLength
            parts.append(encryption.seal(padded.span.extracting(position..<end)))
            position = end
        }
        seal = encryption.finish()
    }

    var bytes: [UInt8] { Array(parts.joined()) }

    /// Opens bytes that arrive in parts of a length.
    static func open(
        _ bytes: [UInt8], _ seal: MediaAttachment.Seal, partsOf length: Int = 1000
    ) throws -> [UInt8] {
        var decryption = try AttachmentDecryption(seal)
        var file: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let end = min(position + length, bytes.count)
            try decryption.update(bytes.span.extracting(position..<end)) {
                (part) throws(PushCryptError) in
                file += [UInt8](copying: part)
            }
            position = end
        }
        try decryption.finish()
        return file
    }
}
