import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptPayload
import PushCryptSystem
import TestSupport

@testable import PushCryptReceiver

/// One random scenario: its steps, and what the Swift receiver does at each.
struct Scenario {
    private static let start: Int64 = 1_767_225_600_000

    private let name: String
    private let begin: Int64
    private let pool: ScenarioPool
    var random: SeededRandom
    let device: ScenarioDevice
    private var sender: ScenarioSender
    private var messages: [ScenarioMessage] = []
    private var steps: [JSONValue] = []
    private var tokens = 0
    /// The latest time in milliseconds since 1970, which counts if the clock is set back.
    private var latest: Int64
    /// A Boolean value that indicates whether a process was killed since the last `resume`.
    private var hasKilled = false
    /// The kinds of events that occurred.
    private(set) var events: Set<String> = []

    init(seed: UInt64, pool: ScenarioPool) throws {
        name = "seed \(seed)"
        self.pool = pool
        var random = SeededRandom(seed: seed)
        let rank = Int.random(in: 0..<3, using: &random)
        let hasAudience = Bool.random(using: &random)
        begin = Self.start + Int64.random(in: 0..<86_400, using: &random) * 1000
        latest = begin
        let clock = ScenarioClock(milliseconds: begin)
        device = try ScenarioDevice(clock: clock, seed: random.next()) { parts in
            let shopRoots = [
                [pool.roots[0]], [pool.roots[0], pool.roots[1]], [pool.roots[1], pool.roots[0]],
            ][rank]
            return [
                try ScenarioAccount(
                    ("shop", "anna"), roots: shopRoots, audience: hasAudience ? "production" : nil,
                    device: parts),
                try ScenarioAccount(
                    ("bank", "anna@bank"), roots: [pool.roots[2]], audience: nil, device: parts),
                try ScenarioAccount(("forum", ""), roots: [], audience: nil, device: parts),
            ]
        }
        self.random = random
        sender = ScenarioSender(device, pool)
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// Takes random steps, and then opens everything that waits.
    ///
    /// It ends early if the replay guard may have forgotten a message that waits.
    mutating func run(steps count: Int) async throws {
        try device.prepare()
        add(["do": .string("prepare")])
        for account in device.accounts {
            account.server.state.withLock { $0.isReliable = true }
            try await register("register", account)
            let asksProofs = chance(30)
            account.server.state.withLock { ($0.isReliable, $0.asksProofs) = (false, asksProofs) }
        }
        for _ in 0..<count {
            try await step()
            if device.hasForgotten { return }
        }
        try lock(false)
        try resume()
    }

    private mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<38: try deliver(try sender.message(&random), isNew: true)
        case 38..<52: try redeliver()
        case 52..<58: try withdraw()
        case 58..<72: advance()
        case 72..<79: try resume()
        case 79..<83: if !hasKilled { try lock(!device.isLocked) }
        case 83..<85: try loseState()
        case 85..<88: dismiss()
        case 88..<91: try await challenge()
        case 91..<93: try announce()
        default: try await registerAnew()
        }
    }

    // MARK: Steps

    /// Records a step with its result.
    private mutating func add(_ step: [String: JSONValue], _ result: [String: JSONValue] = [:]) {
        var members = result
        members["shown"] = .array(device.screen.bodies.map { .string($0) })
        var step = step
        step["expect"] = .object(members)
        steps.append(.object(step))
    }

    private mutating func advance(_ seconds: Int64? = nil) {
        let periods: [Int64] = [
            10, 60, 1800, 3600, 7200, 86_400, 3 * 86_400, 8 * 86_400, -60, -5400,
        ]
        let chosen = seconds ?? periods[Int.random(in: 0..<periods.count, using: &random)]
        // If the clock is set back after a kill, only iOS displays the fallback for the replayed
        // message.
        let period = 1000 * (hasKilled ? abs(chosen) : chosen)
        let end = device.clock.milliseconds + period
        // On iOS, the replay guard may forget a message that a kill has kept from the display.
        let isForgotten = messages.contains {
            device.waiting[$0.sealed] != nil && $0.end >= device.clock.milliseconds && $0.end < end
        }
        if hasKilled, isForgotten { return }
        device.clock.milliseconds = end
        latest = max(latest, end)
        add(["do": .string("advance"), "ms": .number(JSONNumber(period))])
    }

    private mutating func resume() throws {
        if chance(70) {
            device.start()
            add(["do": .string("start")])
        }
        try device.resume(messages)
        if device.hasForgotten { return }
        hasKilled = false
        events.insert("resume")
        add(["do": .string("resume")])
    }

    private mutating func lock(_ isLocked: Bool) throws {
        device.isLocked = isLocked
        add(["do": .string(isLocked ? "lock" : "unlock")])
    }

    private mutating func loseState() throws {
        guard !device.accounts.contains(where: { $0.server.state.withLock { $0.waiting } }) else {
            return
        }
        // Keys have their date in seconds.
        advance(1)
        try device.loseState()
        device.start()
        try device.prepare()
        hasKilled = false
        events.insert("lose-state")
        for step in ["lose-state", "start", "prepare"] { add(["do": .string(step)]) }
    }

    /// Removes a displayed text; not after a kill, because only iOS knows then if it was displayed.
    private mutating func dismiss() {
        let bodies = device.screen.bodies
        guard !hasKilled, let body = bodies.randomElement(using: &random) else { return }
        // The system takes two seconds to display it, and an older message waits for that.
        advance(3)
        device.screen.dismiss(body)
        add(["do": .string("dismiss"), "body": .string(body)])
    }

    // MARK: Deliveries

    private mutating func deliver(_ message: ScenarioMessage, isNew: Bool) throws {
        if isNew { messages.append(message) }
        // On iOS, what is displayed instead would replace an earlier text with the collapse ID.
        let opens = device.refusal(of: message) == nil && message.issued > device.lost
        if message.collapseID != nil, !opens { return }
        var kill: ScenarioKill?
        if chance(20) {
            let isDone =
                device.done.contains(message.sealed)
                || device.screen[message.sealed]?.isFallback == false
            let kills: [ScenarioKill] =
                isDone || message.collapseID != nil || message.kind != .notification
                    || device.clock.milliseconds > message.end
                ? [.atArrival] : ScenarioKill.allCases
            kill = kills.randomElement(using: &random)
        }
        try record(message, kill)
    }

    private mutating func record(_ message: ScenarioMessage, _ kill: ScenarioKill?) throws {
        let hasWaited = device.waiting[message.sealed] != nil
        let outcome = try device.deliver(message, kill: kill)
        if hasWaited, outcome == "fallback possibly-replayed", message.issued > device.lost {
            device.hasForgotten = true
            return
        }
        if outcome == "killed" {
            device.start()
            hasKilled = hasKilled || kill != .atArrival
            events.insert("killed \(kill?.rawValue ?? "")")
        } else {
            events.insert(outcome)
        }
        var step: [String: JSONValue] = [
            "do": .string("deliver"), "sealed": .string(message.sealed),
        ]
        step["collapse-id"] = message.collapseID.map { .string($0) }
        step["kill"] = kill.map { .string($0.rawValue) }
        add(step, ["outcome": .string(outcome)])
    }

    private mutating func redeliver() throws {
        guard let message = messages.randomElement(using: &random) else { return }
        // Receivers may forget a displayed message after its end.
        let isForgotten = device.done.contains(message.sealed) && latest > message.end
        if !isForgotten { try deliver(message, isNew: false) }
    }

    private mutating func withdraw() throws {
        // The system takes two seconds to display what is withdrawn.
        advance(3)
        let message = try sender.withdrawal(&random)
        messages.append(message)
        try record(message, nil)
    }

    private mutating func challenge() async throws {
        let waiting = device.accounts.indices.filter { index in
            device.accounts[index].server.state.withLock { !$0.challenges.isEmpty }
        }
        guard let index = waiting.randomElement(using: &random) else { return }
        let account = device.accounts[index]
        guard !device.isLocked, let begun = try device.registrar(account).state.read().begun,
            begun.since * 1000 <= device.clock.milliseconds,
            let message = try sender.challenge(index, &random), device.refusal(of: message) == nil,
            message.issued > device.lost
        else { return }
        advance(3)
        try record(message, nil)
        account.server.state.withLock { $0.waiting = true }
        try await register("register", account)
    }

    // MARK: Registrations

    /// Adds a list of accepted keys to the answers of an account's server.
    private mutating func announce() throws {
        let account = device.accounts[Int.random(in: 0..<2, using: &random)]
        guard let root = account.roots.randomElement(using: &random) else { return }
        let signer = chance(10) ? pool.stranger : root
        let now = device.clock.now
        var keys = [pool.online[Int.random(in: 0..<4, using: &random)].publicKey]
        if chance(50) { keys.append(root.publicKey) }
        let list = try SignerList(
            keys: keys, issued: now, expiration: now + (chance(10) ? 60 : 365 * 86_400),
            audience: chance(10) ? "staging" : account.audience, signedBy: Signer(signer))
        let isOnly = chance(60)
        account.server.state.withLock { $0.lists = (isOnly ? [] : $0.lists) + [list.text] }
        advance(2)
    }

    private mutating func registerAnew() async throws {
        let account = device.accounts[Int.random(in: 0..<device.accounts.count, using: &random)]
        let waiting = account.server.state.withLock { $0.waiting }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<12: try await register("register", account)
        case 12..<14: try await register("renew", account)
        case 14..<17:
            try await register("ask", account)
            if chance(40) { try await register("ask", account) }
        case 17: if !waiting { try await register("remove", account) }
        default:
            guard !waiting else { return }
            try device.loseInstallation(account)
            events.insert("lose-installation")
            add(["do": .string("lose-installation"), "account": .string(account.name)])
            try await register("register", account)
        }
    }

    private mutating func register(_ call: String, _ account: ScenarioAccount) async throws {
        if tokens == 0 || chance(10) { tokens += 1 }
        let before = account.store.primary
        let lists = account.store.lists
        let outcome = await device.call(call, account, token: "dPz-\(tokens):APA91bH_Zx")
        let result = account.server.take()
        // A challenge stays until it's answered.
        account.server.state.withLock { $0.waiting = $0.waiting && result.requests.isEmpty }
        events.formUnion(result.events)
        events.insert("\(call) \(outcome)")
        if let before, let primary = account.store.primary, primary != before {
            events.insert("rotation")
        }
        if account.store.lists != lists { events.insert("list accepted") }
        add(
            [
                "do": .string(call), "account": .string(account.name),
                "token": .string("dPz-\(tokens):APA91bH_Zx"),
                "answers": .array(result.answers),
            ],
            ["outcome": .string(outcome), "requests": .array(result.requests.map { .string($0) })])
    }

    /// The scenario on one line.
    var line: [UInt8] {
        get throws {
            try JSONValue.object([
                "name": .string(name), "now": .number(JSONNumber(begin)),
                "forgets": .bool(device.hasForgotten),
                "device-keys": .array(device.keys.secrets.map { .string($0) }),
                "accounts": .array(device.accounts.map(\.json)), "steps": .array(steps),
            ]).json() + [UInt8(ascii: "\n")]
        }
    }
}
