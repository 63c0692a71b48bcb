#if APNs
import Crypto
import Foundation
import PushCryptSender
import TestSupport
import Testing

@testable import PushCryptAPNs

/// The files of provider keys that first users have, right ones and wrong ones.
@Suite struct SigningKeyFileTests {
    private struct Corpus: Decodable {
        struct Accepted: Decodable {
            let name: String
            let text: String
        }
        struct Rejected: Decodable {
            let name: String
            let text: String
            let reason: String
        }
        /// The public key of all accepted files, as 64 bytes in hexadecimal digits.
        let publicKey: String
        let accepted: [Accepted]
        let rejected: [Rejected]
    }

    private let corpus: Corpus

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Vectors/keys.json")
        let data = try Data(contentsOf: file)
        try VectorFile.check(data, minimum: ["accepted": 18, "rejected": 32])
        corpus = try JSONDecoder().decode(Corpus.self, from: data)
    }

    @Test("A valid key is read, whatever text, blanks and line lengths are around it")
    func accepted() throws {
        for vector in corpus.accepted {
            let error = thrownError {
                let key = try SigningKeyFile.key(in: vector.text)
                let hex = key.publicKey.rawRepresentation.map { String(format: "%02x", $0) }
                    .joined()
                #expect(hex == corpus.publicKey, "\(vector.name)")
            }
            #expect(error == nil, "\(vector.name): \(error?.reason ?? "")")
        }
    }

    @Test("The error of a wrong file names the cause, one step, and nothing of the file")
    func rejected() {
        for vector in corpus.rejected {
            let error = thrownError { try SigningKeyFile.key(in: vector.text) }
            #expect(error?.code == .invalidKey, "\(vector.name)")
            let reason = error?.reason ?? ""
            #expect(reason.contains(vector.reason), "\(vector.name): \(reason)")
            let lines = vector.text.split(whereSeparator: \.isNewline).filter { $0.count > 30 }
            for line in lines { #expect(!reason.contains(line), "\(vector.name)") }
        }
    }

    @Test("Each cut of a valid key is an error") func cuts() throws {
        let text = try #require(corpus.accepted.first).text
        for length in 0..<text.count {
            #expect(
                errorCode { try SigningKeyFile.key(in: String(text.prefix(length))) } == .invalidKey
            )
        }
    }

    @Test("The client takes such a key") func client() throws {
        let text = try #require(corpus.accepted.last).text
        _ = try APNsAuthentication.token(p8: text, keyID: "ABCDEFGHIJ", teamID: "ABCDEFGHIJ")
    }
}
#endif
