import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptTesting
import TestSupport

/// The server of one account in a schedule of signing keys, and its operator.
///
/// The operator follows the page on key management: a promoted key has been in each root's list for
/// two days, every list has all keys of the keyring, and a list without the primary key isn't
/// handed out.
struct SignerServer {
    /// The lists in the answer to a registration, and its date.
    struct Answer {
        let lists: [String]
        let date: Date
        /// A Boolean value that indicates whether the server withholds newer lists.
        let isWithheld: Bool
    }

    /// The roots in the order in which apps pin them; the online one is the server's first signing
    /// key.
    let roots: [SigningKey]
    let online: SigningKey
    private(set) var keyring: Keyring<SigningKey>
    /// All keys that were ever in the keyring.
    private(set) var history: Set<VerificationKey>
    /// The revoked keys, and the dates of the first lists without them.
    private(set) var revoked: [VerificationKey: Date] = [:]
    private(set) var row: Recipient?
    private(set) var promotions = 0
    private(set) var prunings = 0
    private(set) var rootRevocations = 0
    /// The newest list of each root, and those before it.
    private var lists: [String: [SignerList]] = [:]
    /// The time from which each key has been in the newest list of a root.
    private var listed: [String: [VerificationKey: Date]] = [:]
    /// The number of lists that a compromised server hands out late; `nil` if the server is sound.
    var withheld: Int?
    /// The lists of a thief who has the online root.
    private var forgedLists: [SignerList] = []
    let thief: SigningKey

    init(_ number: Int, random: inout SeededRandom, pool: SigningKeyPool, at now: Date) throws {
        keyring = try Keyring(createdAt: now)
        online = keyring.primary.key
        let offline = pool.keys[2 * number]
        thief = pool.keys[2 * number + 1]
        roots =
            [[online], [online, offline], [offline, online]][Int.random(in: 0..<3, using: &random)]
        history = [online.publicKey]
    }

    private func key(of root: SigningKey) -> String { root.publicKey.kid }

    /// The roots that are not revoked, and sign lists.
    var activeRoots: [SigningKey] { roots.filter { revoked[$0.publicKey] == nil } }

    /// A Boolean value that indicates whether the offline root is above the online one, and can
    /// revoke it.
    private var canRevokeRoot: Bool {
        roots.count == 2 && roots.first?.publicKey != online.publicKey
    }

    /// Signs a list of all keys with a root.
    mutating func announce(_ root: SigningKey, at now: Date) throws {
        let previous = lists[key(of: root)]?.last
        let list = try SignerList(
            keys: keyring.keys.map(\.publicKey), after: previous, issued: now,
            expiration: now + 365 * 86_400,
            signedBy: Signer(root))
        lists[key(of: root), default: []].append(list)
        var dates = listed[key(of: root)] ?? [:]
        for key in list.keys where dates[key] == nil { dates[key] = now }
        listed[key(of: root)] = dates.filter { list.keys.contains($0.key) }
    }

    mutating func addPendingKey(at now: Date) throws {
        guard keyring.keys.count < 12 else { return }
        history.insert(try keyring.addPendingKey(at: now).key.publicKey)
    }

    /// Promotes the oldest pending key, if every root that has a list has listed it for two days.
    mutating func promote(at now: Date) throws {
        guard let next = keyring.pending.first?.key.publicKey else { return }
        let isListed = listed.values.allSatisfy { dates in
            dates[next].map { $0 + 2 * 86_400 <= now } ?? false
        }
        guard isListed else { return }
        try keyring.promote(next.keyID, at: now)
        promotions += 1
    }

    mutating func prune(at now: Date) throws {
        prunings += try keyring.prune(at: now, recipients: [row?.signers]).count
    }

    /// Revokes a key after a leak; a list without it follows.
    ///
    /// The online root can be revoked if the offline one is above it. Its own list isn't handed out
    /// any more.
    mutating func revoke(_ number: Int, at now: Date) throws {
        let key = keyring.keys[number % keyring.keys.count].publicKey
        let isRoot = key == online.publicKey
        guard !isRoot || canRevokeRoot else { return }
        try keyring.revoke(key.keyID, at: now)
        history.formUnion(keyring.keys.map(\.publicKey))
        revoked[key] = now
        if isRoot {
            rootRevocations += 1
            lists[key.kid] = nil
            listed[key.kid] = nil
        }
        for root in activeRoots
        where isRoot || root.publicKey == online.publicKey || lists[self.key(of: root)] != nil {
            try announce(root, at: now)
        }
    }

    /// The thief, who has the online root, signs a list with a key of the thief's.
    mutating func forge(at now: Date) throws {
        let last = (lists[key(of: online)] ?? []) + forgedLists
        forgedLists.append(
            try SignerList(
                keys: [thief.publicKey], after: last.max { $0.number < $1.number }, issued: now,
                expiration: now + 365 * 86_400, signedBy: Signer(online)))
    }

    /// Returns the answer to a registration.
    func answer(at now: Date) -> Answer {
        Answer(lists: handedOutLists, date: now, isWithheld: withheld != nil)
    }

    private var handedOutLists: [String] {
        if withheld != nil, let forged = forgedLists.last { return [forged.text] }
        return roots.compactMap { root in
            let all = lists[key(of: root)] ?? []
            if let withheld {
                return all.isEmpty ? nil : all[max(0, all.count - 1 - withheld)].text
            }
            guard let list = all.last, (try? list.checkListing(of: keyring)) != nil else {
                return nil
            }
            return list.text
        }
    }

    /// Stores a registration, or returns the generation of a stale answer.
    mutating func register(_ registration: Registration, at now: Date) throws -> UInt64? {
        do throws(PushCryptError) {
            row = try Recipient(
                registration: registration, deviceToken: String(repeating: "0a", count: 32),
                registered: now,
                replacing: row)
            return nil
        } catch {
            guard let generation = error.staleGeneration else { throw error }
            return generation
        }
    }

    /// Returns the key that signs for the device; `nil` if the device accepts none that isn't
    /// revoked.
    func signer() throws -> VerificationKey? {
        guard let row else { return nil }
        do throws(PushCryptError) {
            return try SenderAuthentication.signed(by: keyring).signer(for: row.signers)?.publicKey
        } catch {
            guard error.code == .noAcceptedKey else { throw error }
            return nil
        }
    }
}

/// The offline root and the thief's key of each account, for all schedules: a new key takes longer
/// than a step.
struct SigningKeyPool: Sendable {
    let keys: [SigningKey]

    init() throws {
        var keys: [SigningKey] = []
        for _ in 0..<6 { keys.append(try SigningKey()) }
        self.keys = keys
    }
}
