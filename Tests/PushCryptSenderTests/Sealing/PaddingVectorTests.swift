import Foundation
import TestSupport
import Testing

@testable import PushCryptSender

/// The language-neutral vectors of padded lengths, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct PaddingVectorTests {
    @Test("The shared vectors of padding are reproduced") func paddedLengths() throws {
        for vector in try PaddingCorpus.load().vectors {
            let type = try #require(PushType(rawValue: vector.type))
            let padding = try #require(Padding(rawValue: vector.padding))
            let needed = vector.lengths.map { $0 + (vector.signed ? 104 : 32) }
            let room = type.maximumPayloadLength - vector.frame
            let fits =
                needed.count == 1
                ? needed[0] <= MessageLayout.capacity(room)
                : needed.reduce(0) { $0 + MessageLayout.textLength($1) } <= room
            guard fits else {
                #expect(
                    vector.fails == "payload-too-large" && vector.padded == nil, "\(vector.name)")
                continue
            }
            let padded = needed.indices.map { index in
                let other = needed.count == 2 ? needed[1 - index] : nil
                return MessageLayout.paddedLength(needed[index], beside: other, room: room, padding)
            }
            #expect(padded == vector.padded && vector.fails == nil, "\(vector.name)")
        }
    }
}

/// `Tests/Vectors/padding.json`.
struct PaddingCorpus: Decodable {
    struct Vector: Decodable {
        let name: String
        let type: String
        let frame: Int
        let signed: Bool
        let padding: String
        let lengths: [Int]
        let padded: [Int]?
        let fails: String?
    }

    let vectors: [Vector]

    static func load() throws -> PaddingCorpus {
        try VectorFile.load("padding.json", minimum: ["vectors": 672], as: PaddingCorpus.self)
    }
}
