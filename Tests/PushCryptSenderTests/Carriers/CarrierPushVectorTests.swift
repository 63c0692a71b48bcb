import Foundation
import PushCryptCore
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptSender

/// The language-neutral vectors of pushes for carriers, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct CarrierPushVectorTests {
    /// The corpus, which takes longer to read than to seal.
    private static let corpus = Result { try CarrierCorpus.load() }

    @Test("Each push is sealed for its carrier, or refused", arguments: try corpus.get().pushes)
    func push(_ vector: CarrierCorpus.Push) throws {
        let corpus = try Self.corpus.get()
        do {
            let push = try seal(vector, corpus)
            #expect(vector.fails == nil, "It is accepted.")
            let payload = String(decoding: push.payload, as: UTF8.self)
            let parts = payload.components(separatedBy: #""ENCRYPTED_DATA":""#)
            try #require(parts.count == 2)
            let end = try #require(parts[1].firstIndex(of: "\""))
            #expect(parts[0] + #""ENCRYPTED_DATA":""# + parts[1][end...] == vector.readable)
            #expect(parts[1][..<end].utf8.count * 3 / 4 - Envelope.overhead == vector.length)
        } catch let error as PushCryptError {
            #expect(error.code.rawValue == vector.fails, "\(error)")
        }
    }

    @Test("The corpus is complete") func theCorpusIsComplete() throws {
        let codes = try Self.corpus.get().pushes.compactMap(\.fails)
        #expect(codes.count >= 87 && Set(codes).count == 7)
    }

    private func seal(_ vector: CarrierCorpus.Push, _ corpus: CarrierCorpus) throws -> SealedPush {
        let proofs = vector.proofsSince.map {
            ProofRequirement.required(since: Date(timeIntervalSince1970: $0 / 1000))
        }
        var sealer = Sealer(
            .anonymous, padding: .none, proofs: proofs ?? .notRequired,
            time: TestClock(Date(timeIntervalSince1970: corpus.now / 1000)))
        sealer.carrier = Carrier(rawValue: vector.carrier)
        sealer.placeholder = SealingCorpus.placeholder(vector.placeholder)
        sealer.exposedKeys = Set(try vector.expose.map { try #require(ExposedKey(rawValue: $0)) })
        let headers = APNsHeaders(
            try #require(PushType(rawValue: vector.type)), collapseID: vector.collapseID)
        guard let row = vector.row else {
            return try sealer.seal(
                json: vector.payload, for: Registration(parsing: corpus.recipient), headers: headers
            )
        }
        let recipient = try JSONDecoder().decode(Recipient.self, from: Data(row.utf8))
        return try sealer.seal(json: vector.payload, for: recipient, headers: headers)
    }
}
