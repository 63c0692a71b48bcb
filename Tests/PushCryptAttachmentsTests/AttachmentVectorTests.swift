import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptAttachments
@testable import PushCryptCore
@testable import PushCryptPayload

/// The language-neutral vectors of sealed files, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct AttachmentVectorTests {
    @Test("Each vector opens or fails as expected", arguments: try AttachmentCorpus.load())
    func vector(_ vector: AttachmentCorpus.Vector) throws {
        var file: [UInt8] = []
        do throws(PushCryptError) {
            let payload = Payload(
                aps: nil, custom: [MediaAttachment.payloadKey: .array([vector.description])])
            let attachment = try MediaAttachment.all(in: payload.json()).first
            guard let attachment, let seal = attachment.seal else {
                #expect(vector.fails != nil, "It isn't sealed.")
                return
            }
            var decryption = try AttachmentDecryption(seal)
            try decryption.update(vector.sealed.span) { (part) throws(PushCryptError) in
                file += [UInt8](copying: part)
            }
            try decryption.finish()
            guard MediaType(contentsBeginningWith: Array(file.prefix(12))) == attachment.type else {
                #expect(vector.fails == "unsupported-media")
                return
            }
            #expect(file == vector.file && vector.fails == nil)
            #expect((try? SealedParts.open(vector.sealed, seal, partsOf: 1)) == file)
            #expect((try? MediaAttachment(attachment.value)) == attachment)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test("The corpus is complete") func corpus() throws {
        let vectors = try AttachmentCorpus.load()
        #expect(vectors.count { $0.fails != nil } >= 58)
    }
}

/// `Tests/Vectors/attachments.json`.
enum AttachmentCorpus {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let description: JSONValue
        let sealed: [UInt8]
        let file: [UInt8]?
        let fails: String?

        var testDescription: String { name }
    }

    static func load() throws -> [Vector] {
        let document = try VectorFile.load(
            "attachments.json", minimum: ["vectors": 67], as: JSONValue.self)
        return try #require(document["vectors"]?.arrayValue).map { vector in
            func bytes(_ name: String) throws -> [UInt8]? {
                try vector[name]?.stringValue.map { try Base64URL.decode(Array($0.utf8).span) }
            }
            return Vector(
                name: try #require(vector["name"]?.stringValue),
                description: try #require(vector["description"]),
                sealed: try #require(try bytes("sealed")), file: try bytes("file"),
                fails: vector["fails"]?.stringValue)
        }
    }
}
