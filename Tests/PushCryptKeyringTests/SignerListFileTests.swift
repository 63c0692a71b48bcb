import Foundation
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// The lists that a keyring signs as a root, and their file.
@Suite struct SignerListFileTests {
    private let scratch: Scratch
    private let file: SignerListFile
    private let root: SigningKeyring
    private let keys: [VerificationKey]
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        scratch = try Scratch()
        file = SignerListFile(path: scratch.file("signers.jws"))
        root = try SigningKeyring(createdAt: now)
        keys = try [SigningKey().publicKey, SigningKey().publicKey]
    }

    private var roots: [VerificationKey] { root.keys.map(\.publicKey) }

    @discardableResult
    private func announce(
        _ accepted: [VerificationKey]? = nil, by ring: SigningKeyring? = nil, at date: Date? = nil,
        terms: SignerListTerms = .init(), following given: SignerList? = nil
    ) throws -> SignerListFile.Change {
        try file.announce(by: ring ?? root, at: date ?? now, terms: terms, following: given) {
            () throws(PushCryptError) in accepted ?? keys
        }
    }

    @Test("A list replaces the last one of its root, and tells the difference") func replacement()
        throws
    {
        #expect(try file.readIfPresent(roots: roots) == nil)
        let first = try announce(
            [keys[0]], terms: SignerListTerms(validity: 3600, audience: "test"))
        #expect(first.last == nil && first.added == [keys[0]] && first.removed == [])
        #expect(first.list.expiration == now + 3600)
        let second = try announce([keys[1]])
        #expect(
            second.last == first.list && second.added == [keys[1]] && second.removed == [keys[0]])
        #expect(second.list.number > first.list.number && second.list.audience == "test")
        #expect(second.list.expiration == now + 365 * 24 * 3600)
        #expect(try file.readIfPresent(roots: roots) == second.list)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == second.list.text + "\n")
    }

    @Test("The list follows the newer one of the file and a given list") func given() throws {
        let old = try announce().list
        let newest = try announce().list
        #expect(try announce(following: old).last == newest)
        try FileManager.default.removeItem(atPath: file.path)
        let next = try announce(following: newest)
        #expect(next.last == newest && next.list.number > newest.number)
        try FileManager.default.removeItem(atPath: file.path)
        let above = next.list.number + 10
        #expect(try announce(terms: SignerListTerms(numberAbove: above)).list.number == above + 1)
    }

    @Test("A list that can't be read or followed stays in the file") func refusals() throws {
        try announce(terms: SignerListTerms(audience: "test"))
        let before = try String(contentsOfFile: file.path, encoding: .utf8)
        let other = try SigningKeyring(createdAt: now)
        #expect(errorCode { try announce(by: other) } == .unknownRoot)
        #expect(
            errorCode { try announce(terms: SignerListTerms(audience: "other")) } == .wrongAudience)
        #expect(errorCode { try announce([]) } == .malformedSignerList)
        #expect(errorCode { try announce([keys[0], keys[0]]) } == .malformedSignerList)
        let many = try (0...AcceptedSigners.maximumCount).map { _ in try SigningKey().publicKey }
        #expect(errorCode { try announce(many) } == .malformedSignerList)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == before)
        for damaged in ["", "x", before.replacing(".", with: "..")] {
            try damaged.write(toFile: file.path, atomically: true, encoding: .utf8)
            #expect(errorCode { try announce() } == .malformedSignerList)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == damaged)
        }
    }

    @Test("A clock that is probably wrong signs no list") func clock() throws {
        let year: TimeInterval = 365 * 24 * 3600
        #expect(errorCode { try announce(at: now - 2 * 24 * 3600) } == .staleSignerList)
        #expect(errorCode { try announce(at: now + 2 * year) } == .staleSignerList)
        try announce(at: now + 2 * year, terms: SignerListTerms(isClockConfirmed: true))
        // After a list, its date counts, and the number doesn't depend on the clock.
        try announce(at: now + 3 * year)
        try announce(at: now - year)
    }
}
