import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import TestSupport
import Testing

/// The language-neutral vectors of lists of accepted keys, from another implementation
/// (`Tests/Vectors/generate.py`).
@Suite struct SignerListVectorTests {
    @Test(
        "The shared vectors of lists are reproduced", arguments: try SignerListCorpus.load().lists)
    func list(_ vector: SignerListCorpus.List) throws {
        let roots = try SignerListCorpus.load().roots(vector.roots, vector.audience)
        let stored = vector.stored.map { [$0] } ?? []
        do throws(PushCryptError) {
            let lists = try roots.adding(
                vector.text, to: stored,
                at: Date(timeIntervalSince1970: vector.nowMilliseconds / 1000))
            #expect(vector.fails == nil, "It is accepted.")
            #expect(vector.outcome == (lists == stored ? "unchanged" : "accepted"))
            let list = try SignerList(verifying: vector.text, roots: roots.keys)
            #expect(list.number == vector.number && list.keys.map(\.kid) == vector.kids)
            #expect(lists.contains(list.text))
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test(
        "The shared vectors of accepted keys are reproduced",
        arguments: try SignerListCorpus.load().acceptedKeys)
    func acceptedKeys(_ vector: SignerListCorpus.AcceptedKeys) throws {
        let roots = try SignerListCorpus.load().roots(vector.roots, vector.audience)
        do throws(PushCryptError) {
            let keys = try roots.acceptedKeys(with: vector.stored)
            #expect(keys.map(\.kid) == vector.kids)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test(
        "The shared vectors of the choice of the signing key are reproduced",
        arguments: try SignerListCorpus.load().choices)
    func choice(_ vector: SignerListCorpus.Choice) throws {
        let text = Array(vector.keyring.utf8)
        let keyring = try Keyring<SigningKey>(parsing: text.span)
        do throws(PushCryptError) {
            let accepted = try vector.signers.map { (kids) throws(PushCryptError) in
                try AcceptedSigners(kids: kids)
            }
            let signer = try SenderAuthentication.signed(by: keyring).signer(for: accepted)
            #expect(signer?.publicKey.kid == vector.kid)
        } catch {
            #expect(error.code.rawValue == vector.fails)
        }
    }

    @Test("The corpus is complete") func theCorpusIsComplete() throws {
        #expect(try SignerListCorpus.load().lists.count { $0.fails != nil } >= 323)
    }
}

/// `Tests/Vectors/signer-lists.json`.
struct SignerListCorpus: Decodable, Sendable {
    struct List: Decodable, Sendable {
        let roots: [String]
        let audience: String?
        let stored: String?
        let nowMilliseconds: Double
        let text: String
        let outcome: String?
        let number: UInt64?
        let kids: [String]?
        let fails: String?

        private enum CodingKeys: String, CodingKey {
            case roots, audience, stored, text, outcome, number, kids, fails
            case nowMilliseconds = "now_ms"
        }
    }

    struct AcceptedKeys: Decodable, Sendable {
        let roots: [String]
        let audience: String?
        let stored: [String]
        let kids: [String]?
        let fails: String?
    }

    struct Choice: Decodable, Sendable {
        let keyring: String
        let signers: [String]?
        let kid: String?
        let fails: String?
    }

    private struct JWKMember: Decodable, Sendable {
        let x: String
    }

    private let keys: [String: JWKMember]
    let lists: [List]
    let acceptedKeys: [AcceptedKeys]
    let choices: [Choice]

    private enum CodingKeys: String, CodingKey {
        case keys, lists, choices
        case acceptedKeys = "accepted_keys"
    }

    private static let corpus = Result {
        try VectorFile.load(
            "signer-lists.json", minimum: ["lists": 365, "accepted_keys": 24, "choices": 22],
            as: Self.self)
    }

    static func load() throws -> Self { try corpus.get() }

    func roots(_ names: [String], _ audience: String?) throws -> SignerRoots {
        SignerRoots(
            try names.map { try VerificationKey(parsing: try #require(keys[$0]).x) },
            audience: audience)
    }
}
