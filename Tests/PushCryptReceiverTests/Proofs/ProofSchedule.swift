import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptSender
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A random schedule of two honest devices, their server, and an attacker, the same for each seed.
///
/// The attacker has the session of one account, an account of the attacker's own, a phone, foreign
/// tokens, foreign registrations and all earlier requests. The network loses requests, answers and
/// pushes, and delivers pushes late and twice.
struct ProofSchedule {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// A request of a session.
    struct Sent: Sendable {
        let account: String
        let request: RegistrationRequest
    }

    private let time = TestClock()
    private let server: ProofServer
    private var random: SeededRandom
    private var devices: [ProofDevice] = []
    private var attacker: ProofAttacker
    /// The pushes that the network still delivers.
    private var waiting: [(date: Date, push: ProofServer.Push)] = []
    /// The pairs that an honest device has sent.
    private var honest: Set<String> = []
    private let sent = LockedValue<[Sent]>([])
    private var backups: [DeviceKeyring?] = [nil, nil]
    /// The devices whose keyring was restored or whose account has changed, and that the server
    /// hasn't confirmed since.
    ///
    /// The row may have a key that the device deleted weeks ago, in the other account.
    private var unconfirmed: Set<Int> = []
    private(set) var summary = ProofSummary()
    private(set) var trace: [String] = []

    init(seed: UInt64, signer: SigningKey) throws {
        random = SeededRandom(seed: seed)
        // Some challenges end before their push arrives, and others are answered hours later.
        server = ProofServer(
            time: time, signer: signer, secret: Base64URL.encode(random.bytes(32)),
            challengeLifetime: [3600, 24 * 3600][Int.random(in: 0..<2, using: &random)])
        attacker = ProofAttacker(
            key: try TestKeys.device(.bob), token: random.bytes(32), time: time)
        for account in ["anna", "berta"] {
            devices.append(
                try ProofDevice(
                    account: account, token: random.bytes(32), time: time, signer: signer.publicKey)
            )
        }
    }

    private mutating func chance(_ part: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < part
    }

    mutating func run() async throws {
        for _ in 0..<60 {
            let index = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<22: try await start(index)
            case 22..<36: try await pass(Double.random(in: 0..<3 * 3600, using: &random))
            case 36..<40: try await pass(Double.random(in: 0..<8 * 86_400, using: &random))
            case 40..<42: changeToken(index)
            case 42..<44: changeAccount(index)
            case 44..<46: server.rotate(to: Base64URL.encode(random.bytes(32)))
            case 46..<47: backups[index] = devices[index].store.stored
            case 47..<49: try restore(index)
            case 49..<50: try await renew(index)
            default: try await attack()
            }
            try check()
        }
        try await end()
    }

    // MARK: Honest devices

    /// The network's treatment of a request: it may be lost, or its answer.
    private mutating func send(
        _ index: Int, works: Bool = false
    ) -> PushInbox.SendRegistration {
        let account = devices[index].account
        let losses =
            works
            ? [Int](repeating: 0, count: 8)
            : (0..<8).map { _ in Int.random(in: 0..<8, using: &random) }
        let count = LockedValue(0)
        return { [server, sent] request in
            sent.withLock { $0.append(Sent(account: account, request: request)) }
            let loss = count.withLock { number in
                number += 1
                return losses[(number - 1) % 8]
            }
            if loss == 7 { throw CocoaError(.fileReadUnknown) }
            let response = try server.receive(request, account: account)
            if loss == 6 { throw CocoaError(.fileReadUnknown) }
            return response
        }
    }

    private mutating func start(_ index: Int, works: Bool = false) async throws {
        note("device \(index) starts in \(devices[index].account)")
        let before = sent.withLock { $0.count }
        let send = send(index, works: works)
        do {
            try await devices[index].start(with: send)
        } catch {
            summary.failures += 1
            note("  \(error)")
        }
        record(since: before, by: index, works: works)
    }

    private mutating func renew(_ index: Int) async throws {
        note("device \(index) renews its key")
        let before = sent.withLock { $0.count }
        let send = send(index)
        do {
            try await devices[index].registrar.renew(DeviceToken(devices[index].token), with: send)
        } catch {
            summary.failures += 1
        }
        record(since: before, by: index)
    }

    /// Records the requests that a device has sent, and the pushes that they have caused.
    private mutating func record(since before: Int, by index: Int, works: Bool = false) {
        for one in sent.withLock({ Array($0[before...]) }) {
            guard let registration = try? Registration(parsing: one.request.registration) else {
                continue
            }
            honest.insert(Self.pair(one.account, one.request.deviceToken, registration.key))
            if one.request.proof != nil { summary.answers += 1 }
            note(
                "  sent generation \(registration.generation), \(one.request), \(one.request.wantsVisibleChallenge)"
            )
        }
        if (try? devices[index].isConfirmed) == true { unconfirmed.remove(index) }
        route(works: works)
    }

    private static func pair(_ account: String, _ token: String, _ key: RecipientPublicKey)
        -> String
    {
        "\(account) \(token) \(key.kid)"
    }

    private mutating func changeToken(_ index: Int) {
        note("device \(index) gets another token")
        devices[index].token = random.bytes(32)
    }

    private mutating func changeAccount(_ index: Int) {
        devices[index].account = devices[index].account == "anna" ? "berta" : "anna"
        note("device \(index) changes to \(devices[index].account)")
        unconfirmed.insert(index)
    }

    private mutating func restore(_ index: Int) throws {
        guard let backup = backups[index] else { return }
        note("device \(index) is restored")
        try devices[index].restore(backup)
        unconfirmed.insert(index)
    }

    // MARK: Pushes

    /// Puts the server's pushes on their way; some are lost, late or doubled.
    private mutating func route(works: Bool = false) {
        for push in server.takePushes() {
            if push.isVisible { summary.visible += 1 }
            attacker.receive(push)
            guard works || !chance(0.2) else { continue }
            for _ in 0..<(chance(0.1) ? 2 : 1) {
                let delay =
                    works || chance(0.5) ? 0 : Double.random(in: 0..<2 * 3600, using: &random)
                waiting.append((time.now + delay, push))
            }
        }
    }

    private mutating func pass(_ seconds: TimeInterval) async throws {
        time.advance(by: seconds)
        try await deliver()
    }

    private mutating func deliver(works: Bool = false) async throws {
        while let next = waiting.indices.first(where: { waiting[$0].date <= time.now }) {
            let push = waiting.remove(at: next).push
            for index in devices.indices where devices[index].tokenText == push.token {
                try await hand(push, to: index, works: works)
            }
        }
    }

    private mutating func hand(_ push: ProofServer.Push, to index: Int, works: Bool = false)
        async throws
    {
        let before = sent.withLock { $0.count }
        let send = send(index, works: works)
        do {
            if try await devices[index].deliver(push, with: send) { summary.challenges += 1 }
        } catch {
            summary.failures += 1
            note("  device \(index) can't answer: \(error)")
        }
        record(since: before, by: index, works: works)
    }

    // MARK: Attacks

    private mutating func attack() async throws {
        let tokens = devices.map(\.tokenText)
        let attempt = attacker.attempt(on: tokens, sent.withLock { $0 }, server.rows, &random)
        switch attempt {
        case .request(let account, let request):
            note("attack in \(account): \(request.json)")
            let before = server.rows
            summary.attacks += 1
            do {
                let response = try server.receive(request, account: account)
                if request.proof == nil { try checkUnchanged(before) }
                if case .accepted = response.kind { summary.acceptedAttacks += 1 }
            } catch is ProofServer.Refused {
                summary.refused += 1
                try checkUnchanged(before)
            }
            route()
        case .push(let push):
            let index = Int.random(in: 0..<2, using: &random)
            note("a recorded push goes to device \(index)")
            summary.relays += 1
            try await hand(push, to: index)
        case nil: break
        }
    }

    /// Checks that a request without a valid proof has changed no row.
    private func checkUnchanged(_ before: [ProofServer.Place: Recipient]) throws {
        let rows = server.rows
        guard rows.count == before.count else {
            throw broken("A request without a proof adds a row")
        }
        for (place, row) in rows where row.registration != before[place]?.registration {
            throw broken("A request without a proof changes the row of \(place)")
        }
    }

    // MARK: Guarantees

    /// Checks that each row is a pair that an honest device has sent, or the attacker's own phone
    /// in the own account.
    private func check() throws {
        let own = Self.pair("mallory", attacker.tokenText, attacker.key.publicKey)
        for (place, row) in server.rows {
            let pair = Self.pair(place.account, place.token, row.key)
            guard honest.contains(pair) || pair == own else {
                throw broken("The foreign pair \(pair) is active")
            }
            guard row.proved != nil else { throw broken("The row of \(place) isn't proved") }
        }
        for (index, device) in devices.enumerated() where !unconfirmed.contains(index) {
            guard let row = server.rows[.init(account: device.account, token: device.tokenText)]
            else { continue }
            guard (try? device.store.recipientKey(row.key.keyID)) != nil else {
                throw broken("Device \(index) is dark: it doesn't have the key of its row")
            }
        }
    }

    /// With a working network and without attacks, each device has a proved row with its newest
    /// key.
    private mutating func end() async throws {
        waiting = []
        time.advance(by: 25 * 3600)
        for index in devices.indices {
            for _ in 0..<4 {
                try await start(index, works: true)
                try await deliver(works: true)
                // A visible challenge is answered at the next launch.
                try await start(index, works: true)
                time.advance(by: 3601)
            }
            let device = devices[index]
            let row = server.rows[.init(account: device.account, token: device.tokenText)]
            guard let row, row.key == device.store.stored?.primary.key.publicKey else {
                throw broken("Device \(index) isn't registered at the end")
            }
            let push = try server.sealer.seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: row)
            guard try device.opens(push.payload) else {
                throw broken("Device \(index) can't open a push")
            }
            summary.proved += 1
        }
        try check()
        summary.openedByAttacker = attacker.openedCount
    }

    private mutating func note(_ text: String) {
        trace.append("\(time.now.timeIntervalSince1970): \(text)")
    }

    private func broken(_ what: String) -> Broken {
        Broken(description: what + ":\n" + trace.suffix(25).joined(separator: "\n"))
    }
}
