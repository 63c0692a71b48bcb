import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport
import Testing

/// The keys that a device accepts, and the lists that it stores.
@Suite struct SignerRootsTests {
    private let offline: SigningKey
    private let online: SigningKey
    private let signing: SigningKey
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    init() throws {
        offline = try TestKeys.sender()
        online = try TestKeys.sender(.mallory)
        signing = try SigningKey()
    }

    private var roots: SignerRoots { SignerRoots([offline.publicKey, online.publicKey]) }

    private func list(
        _ keys: [SigningKey], _ root: SigningKey, at offset: TimeInterval = 0,
        lifetime: TimeInterval = 86_400,
        audience: String? = nil
    ) throws -> String {
        try SignerList(
            keys: keys.map(\.publicKey), issued: now + offset, expiration: now + offset + lifetime,
            audience: audience,
            signedBy: Signer(root)
        ).text
    }

    @Test("Without a list, the roots are the accepted keys") func noList() throws {
        #expect(try roots.acceptedKeys(with: []) == [offline.publicKey, online.publicKey])
        let foreign = try list([signing], signing)
        #expect(try roots.acceptedKeys(with: [foreign]) == [offline.publicKey, online.publicKey])
    }

    @Test("The list of the first root that has one decides alone") func firstRoot() throws {
        let low = try list([online], online)
        #expect(try roots.acceptedKeys(with: [low]) == [online.publicKey])
        let high = try list([signing], offline)
        for stored in [[low, high], [high, low]] {
            #expect(try roots.acceptedKeys(with: stored) == [signing.publicKey])
        }
        // An update of the app can turn the order.
        let turned = SignerRoots([online.publicKey, offline.publicKey])
        #expect(try turned.acceptedKeys(with: [low, high]) == [online.publicKey])
    }

    @Test("A list for another audience counts neither in an answer nor in the store")
    func audience() throws {
        let staging = try list([signing], offline, audience: "staging")
        #expect(errorCode { try roots.adding(staging, to: [], at: now) } == .wrongAudience)
        #expect(try roots.acceptedKeys(with: [staging]) == roots.keys)
        let pinned = SignerRoots(roots.keys, audience: "staging")
        #expect(try pinned.adding(staging, to: [], at: now) == [staging])
        #expect(
            errorCode { try pinned.adding(list([signing], offline), to: [], at: now) }
                == .wrongAudience)
        #expect(try pinned.acceptedKeys(with: [staging]) == [signing.publicKey])
    }

    @Test("A newer list replaces an older one of its root, and nothing else does") func order()
        throws
    {
        let first = try list([signing], offline)
        let second = try list([online], offline, at: 1)
        let conflicting = try list([offline], offline)
        let stored = try roots.adding(first, to: [], at: now)
        #expect(stored == [first])
        #expect(
            try roots.adding(first, to: stored, at: now + 1e9) == stored,
            "The same list, after its expiration.")
        #expect(
            errorCode { try roots.adding(conflicting, to: stored, at: now) }
                == .conflictingSignerList)
        let newer = try roots.adding(second, to: stored, at: now)
        #expect(newer == [second])
        #expect(errorCode { try roots.adding(first, to: newer, at: now) } == .staleSignerList)
        let both = try roots.adding(list([signing], online, at: -500), to: newer, at: now)
        #expect(both.count == 2 && both.first == second)
    }

    @Test("A list is taken until its expiration, and counts after it") func expiration() throws {
        let text = try list([signing], offline)
        #expect(
            errorCode { try roots.adding(text, to: [], at: now + 86_400) } == .expiredSignerList)
        #expect(try roots.adding(text, to: [], at: now + 86_399) == [text])
        #expect(try roots.acceptedKeys(with: [text]) == [signing.publicKey])
    }

    @Test("A damaged stored list is an error, and the next list replaces it") func damage() throws {
        let text = try list([signing], offline)
        let damaged = String(text.dropLast(2))
        #expect(errorCode { try roots.acceptedKeys(with: [damaged]) } != nil)
        #expect(try roots.adding(text, to: [damaged], at: now) == [text])
    }

    @Test("A list of another audience stays, so that an earlier build doesn't take an older list")
    func otherAudience()
        throws
    {
        let beta = SignerRoots(roots.keys, audience: "beta")
        let revoking = try list([signing], offline, at: 1)
        let old = try list([signing, online], offline)
        let stored = try roots.adding(revoking, to: [], at: now)
        let both = try beta.adding(list([signing], offline, audience: "beta"), to: stored, at: now)
        #expect(both.count == 2)
        #expect(errorCode { try roots.adding(old, to: both, at: now) } == .staleSignerList)
        #expect(try roots.acceptedKeys(with: both) == [signing.publicKey])
        var many = stored
        for number in 0..<20 {
            many = try SignerRoots(roots.keys, audience: "\(number)")
                .adding(list([signing], offline, audience: "\(number)"), to: many, at: now)
        }
        #expect(many.count == 9, "The device keeps a limited number.")
    }

    @Test("A damaged list is replaced by a list of its own root only")
    func damagedListOfAnotherRoot() throws {
        let damaged = String(try list([signing], offline).dropLast(2))
        let low = try list([online], online)
        let stored = try roots.adding(low, to: [damaged], at: now)
        #expect(stored == [damaged, low])
        #expect(
            errorCode { try roots.acceptedKeys(with: stored) } != nil,
            "The second root doesn't decide.")
        let high = try list([signing], offline, at: 1)
        let repaired = try roots.adding(high, to: stored, at: now)
        #expect(repaired == [low, high])
        #expect(try roots.acceptedKeys(with: repaired) == [signing.publicKey])
        #expect(
            try roots.adding(low, to: ["a"], at: now) == [low],
            "Without its header, the root isn't known.")
    }

    @Test("A device keeps the lists of all pinned roots, and eight of others") func limit() throws {
        var stored: [String] = []
        var all: [VerificationKey] = []
        for index in 0..<12 {
            let root = try SigningKey()
            all.append(root.publicKey)
            let roots = SignerRoots([root.publicKey])
            stored = try roots.adding(list([signing], root, at: Double(index)), to: stored, at: now)
        }
        #expect(stored.count == 9)
        let pinned = SignerRoots(all + roots.keys)
        #expect(try pinned.adding(list([signing], offline), to: stored, at: now).count == 10)
        #expect(
            try pinned.adding(list([signing], offline), to: stored, at: now).starts(with: stored))
    }

    @Test("A root that is pinned twice counts once") func sameRootTwice() throws {
        let twice = SignerRoots([online.publicKey, offline.publicKey, online.publicKey])
        #expect(twice.keys == [online.publicKey, offline.publicKey])
    }
}
