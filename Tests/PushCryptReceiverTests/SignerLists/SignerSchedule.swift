import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A random schedule of three accounts, their servers, their operators and a thief, the same for
/// each seed.
///
/// The network loses registrations and answers, and delivers answers up to a day late, in any
/// order. Pushes arrive up to 30 days late. The app starts, is updated early, late or never, and is
/// restored from backups. Servers are compromised for a time: they withhold lists, or hand out
/// those of a thief who has the online root.
struct SignerSchedule {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    private enum Arrival {
        case registration(Registration)
        case accepted(Registration, SignerServer.Answer)
        case stale(UInt64, Registration)
        case push(VerificationKey, isRestored: Bool, restores: Int)
    }

    private struct Account {
        var server: SignerServer
        var device: SignerDevice
        /// The revoked keys that the device's deciding lists exclude, and the root of the last one.
        var excluded: Set<VerificationKey> = []
        var decidingRoot: String?
        /// A Boolean value that indicates whether the app may trust the thief: the root is stolen,
        /// and the server hands out the thief's list.
        var isBetrayed = false
        var isRootStolen = false
        /// A Boolean value that indicates whether the device has an old list from a server that
        /// withholds the newest.
        var isMisled = false

        /// Returns a Boolean value that indicates whether a list of the offline root decides, above
        /// the online one.
        func isProtected(_ cache: inout SignerCache) throws -> Bool {
            guard let list = try device.decidingList(&cache) else { return false }
            return list.rootKid != server.online.publicKey.kid
        }
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let time = TestClock()
    private var now = Date(timeIntervalSince1970: 1_767_225_600)
    private var accounts: [Account] = []
    private var arrivals: [(date: Date, account: Int, arrival: Arrival)] = []
    private var cache = SignerCache()
    private let traces: Bool
    private(set) var trace: [String] = []
    private(set) var summary = Summary()

    init(seed: UInt64, pool: SigningKeyPool, traces: Bool = false) throws {
        self.seed = seed
        self.traces = traces
        random = SeededRandom(seed: seed)
        for number in 0..<3 {
            let server = try SignerServer(number, random: &random, pool: pool, at: now)
            // The first release pins all roots, or the online one alone.
            let isEarly = Int.random(in: 0..<2, using: &random) == 0
            let pinned = isEarly ? [server.online] : server.roots
            let device = SignerDevice(roots: SignerRoots(pinned.map(\.publicKey)), time: time)
            accounts.append(Account(server: server, device: device))
        }
    }

    mutating func run() throws {
        for index in accounts.indices { try start(index, isForced: true) }
        for _ in 0..<120 {
            now += Double.random(in: 0..<4 * 86_400, using: &random)
            try deliver()
            time.advance(by: now.timeIntervalSince(time.now))
            try step(Int.random(in: 0..<3, using: &random))
        }
        now += 31 * 86_400
        try deliver()
        for account in accounts {
            summary.promotions += account.server.promotions
            summary.prunings += account.server.prunings
            summary.rootRevocations += account.server.rootRevocations
        }
    }

    private mutating func note(_ account: Int, _ event: @autoclosure () -> String) {
        if traces { trace.append("\(now) account \(account): \(event())") }
    }

    // MARK: Steps

    private mutating func step(_ index: Int) throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: try start(index, isForced: Bool.random(using: &random))
        case 25..<55: try push(index)
        case 55..<82: try operate(index)
        case 82..<85: try revoke(index)
        case 85..<88: try update(index)
        case 88..<91: accounts[index].device.backUp()
        case 91..<93:
            note(index, "restored")
            try accounts[index].device.restore()
        case 93..<95: try compromise(index)
        case 95..<97: accounts[index].server.withheld = nil
        default: try attack(index)
        }
        try checkLists(index)
    }

    private mutating func operate(_ index: Int) throws {
        let choice = Int.random(in: 0..<8, using: &random)
        note(index, "operates \(choice)")
        switch choice {
        case 0, 1: try accounts[index].server.addPendingKey(at: now)
        case 2, 3: try accounts[index].server.promote(at: now)
        case 4, 5, 6:
            try accounts[index].server.prune(at: now)
            let roots = accounts[index].server.activeRoots
            let online = roots.first { $0.publicKey == accounts[index].server.online.publicKey }
            if let root = online ?? roots.first {
                try accounts[index].server.announce(root, at: now)
            }
        default:
            for root in accounts[index].server.activeRoots {
                try accounts[index].server.announce(root, at: now)
            }
        }
    }

    private mutating func revoke(_ index: Int) throws {
        let number = Int.random(in: 0..<12, using: &random)
        try accounts[index].server.revoke(number, at: now)
        let revoked = accounts[index].server.revoked
        note(index, "revoked \(revoked.keys.map(\.keyID))")
    }

    /// A new release pins all roots, or drops a stolen one.
    private mutating func update(_ index: Int) throws {
        let server = accounts[index].server
        guard server.roots.count == 2 else { return }
        var pinned = server.roots
        if accounts[index].isRootStolen {
            pinned.removeAll { $0.publicKey == server.online.publicKey }
        }
        note(index, "updated to \(pinned.count) roots")
        accounts[index].device.roots = SignerRoots(pinned.map(\.publicKey))
        if accounts[index].isRootStolen { accounts[index].isBetrayed = false }
    }

    private mutating func compromise(_ index: Int) throws {
        accounts[index].server.withheld = Int.random(in: 0..<4, using: &random)
        note(index, "the server withholds lists")
        guard Int.random(in: 0..<3, using: &random) == 0, accounts[index].server.roots.count == 2
        else { return }
        note(index, "the root is stolen")
        accounts[index].isRootStolen = true
        try accounts[index].server.forge(at: now)
    }

    // MARK: Registration

    private mutating func start(_ index: Int, isForced: Bool) throws {
        guard let registration = try accounts[index].device.start(isForced: isForced) else {
            return
        }
        note(
            index,
            "starts, generation \(registration.generation), \(registration.signers?.description ?? "-")"
        )
        send(index, .registration(registration))
    }

    /// Sends a request or an answer, which may be lost, or arrive up to a day late.
    private mutating func send(_ index: Int, _ arrival: Arrival) {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return }
        let isLate = Int.random(in: 0..<4, using: &random) == 0
        let delay = isLate ? Double.random(in: 0..<86_400, using: &random) : 1
        arrivals.append((now + delay, index, arrival))
    }

    private mutating func deliver() throws {
        let end = now
        while let next = arrivals.indices.min(by: { arrivals[$0].date < arrivals[$1].date }),
            arrivals[next].date <= end
        {
            let (date, index, arrival) = arrivals.remove(at: next)
            now = max(date, time.now)
            time.advance(by: now.timeIntervalSince(time.now))
            try arrive(index, arrival)
            try checkLists(index)
        }
        now = end
    }

    private mutating func arrive(_ index: Int, _ arrival: Arrival) throws {
        switch arrival {
        case .registration(let registration):
            if let generation = try accounts[index].server.register(registration, at: now) {
                send(index, .stale(generation, registration))
            } else {
                send(index, .accepted(registration, accounts[index].server.answer(at: now)))
            }
        case .accepted(let registration, let answer):
            try accept(registration, answer, index)
        case .stale(let generation, let registration):
            send(index, .registration(try accounts[index].device.follow(generation, registration)))
        case .push(let signer, let wasRestored, let restores):
            let device = accounts[index].device
            // A revoked root signs no list that gives a restored device its keys back.
            let hasLostList =
                restores < device.restores && accounts[index].server.rootRevocations > 0
            try open(index, signer, isRestored: wasRestored || device.isRestored || hasLostList)
        }
    }

    private mutating func accept(
        _ registration: Registration, _ answer: SignerServer.Answer, _ index: Int
    ) throws {
        note(index, "confirmed \(registration.generation), \(answer.lists.count) lists")
        if accounts[index].isRootStolen, !answer.lists.isEmpty { accounts[index].isBetrayed = true }
        let next = try accounts[index].device.accept(registration, answer.lists, at: answer.date)
        let deciding = try accounts[index].device.decidingList(&cache)
        if let deciding, answer.lists.contains(deciding.text) {
            accounts[index].isMisled = answer.isWithheld
        }
        if let next { send(index, .registration(next)) }
    }

    // MARK: Pushes

    private mutating func push(_ index: Int) throws {
        guard accounts[index].server.row != nil else { return }
        guard let signer = try accounts[index].server.signer() else {
            summary.unsealed += 1
            // Only a revocation leaves a device without a key.
            guard !accounts[index].server.revoked.isEmpty || accounts[index].isRootStolen else {
                throw Broken(description: "No key fits the device of account \(index).")
            }
            return
        }
        note(index, "sends with \(signer.keyID)")
        let delays: [TimeInterval] = [
            1, TimeInterval.random(in: 0..<30 * 86_400, using: &random), 30 * 86_400,
        ]
        let delay = delays[Int.random(in: 0..<3, using: &random)]
        let device = accounts[index].device
        let arrival = Arrival.push(signer, isRestored: device.isRestored, restores: device.restores)
        arrivals.append((now + delay, index, arrival))
    }

    private mutating func open(_ index: Int, _ signer: VerificationKey, isRestored: Bool) throws {
        let account = accounts[index]
        let accepted = try account.device.acceptedKeys(&cache)
        if accepted.contains(signer) {
            summary.opened += 1
            if account.server.keyring.primary.key.publicKey != signer {
                summary.openedWithRetired += 1
            }
            return
        }
        if account.server.revoked[signer] != nil {
            summary.refusedRevoked += 1
        } else if isRestored {
            summary.restoredAndDark += 1
        } else if account.isMisled {
            // An update has pinned a root, and a compromised server has handed out an old list of
            // that root.
            summary.misled += 1
        } else if account.isRootStolen {
            // The thief's list, or the update that drops the root, may exclude the key.
            summary.refusedThief += 1
        } else {
            note(index, "dark: \(signer.keyID), accepted \(accepted.map(\.keyID))")
            throw Broken(description: "A push of account \(index) is dark.")
        }
    }

    /// A thief signs with revoked keys, keys of other accounts, and keys of the thief's own.
    private mutating func attack(_ index: Int) throws {
        let account = accounts[index]
        let accepted = try account.device.acceptedKeys(&cache)
        let others = accounts.indices.filter { $0 != index }.flatMap { accounts[$0].server.history }
        if let key = accepted.first(where: { others.contains($0) }) {
            throw Broken(
                description: "Account \(index) accepts the key \(key.keyID) of another account.")
        }
        let isProtected = try account.isProtected(&cache)
        if accepted.contains(account.server.thief.publicKey), isProtected || !account.isBetrayed {
            throw Broken(description: "Account \(index) accepts the thief's key.")
        }
        if isProtected, account.isRootStolen { summary.protected += 1 }
        if account.isRootStolen { summary.refusedThief += 1 }
        summary.refusedRevoked += account.server.revoked.keys.count { !accepted.contains($0) }
    }

    /// Checks that no revoked key is accepted after a list without it.
    private mutating func checkLists(_ index: Int) throws {
        let account = accounts[index]
        let list = try account.device.decidingList(&cache)
        // A stated limit: a server that withholds lists can begin with an old list of a higher
        // root.
        let isOther = account.decidingRoot != list?.rootKid
        accounts[index].decidingRoot = list?.rootKid
        // A thief's list can accept a revoked key again, unless the offline root's list decides.
        let isThiefs = try account.isRootStolen && !account.isProtected(&cache)
        if isOther || account.device.isRestored || isThiefs { accounts[index].excluded = [] }
        let accepted = Set(try account.device.acceptedKeys(&cache))
        if let key = accounts[index].excluded.first(where: { accepted.contains($0) }) {
            note(index, "accepts the revoked \(key.keyID)")
            throw Broken(description: "Account \(index) accepts a revoked key again.")
        }
        guard let issued = list?.issued, !isThiefs else { return }
        let excluded = Set(account.server.revoked.filter { $0.value <= issued }.keys)
        guard excluded.isDisjoint(with: accepted) else {
            throw Broken(
                description: "Account \(index) accepts a revoked key with a list without it.")
        }
        if excluded.count > accounts[index].excluded.count { summary.changedLists += 1 }
        accounts[index].excluded.formUnion(excluded)
    }
}
