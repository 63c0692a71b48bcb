import Foundation
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// A random schedule of a device, its server and APNs, the same for each seed.
///
/// The model allows:
/// - The clocks of the device, the registering server and the sending server are wrong by up to 48
///   hours each, constantly.
/// - The device's clock jumps, also before the first start: back by hours to years, to 1970, past
///   2038, or ahead by up to 60 days. Or it stops while the device is off. Later it's right again.
/// - It jumps forward at most twice while a key is retired, including the return from a clock that
///   was behind. A device can't distinguish such a jump from elapsed time. So each costs a retired
///   key up to 24 hours (see ``ElapsedTime``), and a key has 48 hours more than the lifetime of its
///   messages.
/// - The app starts after minutes or weeks, and is sometimes off for up to 60 days.
/// - A registration arrives at once, late, out of order or never. Each start sends it again until
///   it's confirmed, and once a week. The confirmation comes at once, late, twice or never, with
///   the server's time or without.
/// - A message arrives within its lifetime, in any order, often at the end.
/// - An attacker copies the keyring at random times.
///
/// In an ordinary schedule nothing fails, and the app starts daily or weekly with the default
/// settings.
struct RotationSimulation {
    /// A broken guarantee.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// The counts of events, so that a test can check that they happened.
    struct Summary: Sendable {
        var confirmations = 0
        var refusals = 0
        var deliveries = 0
        var deliveriesToRetired = 0
        var destroyed = 0
        var stale = 0
        var jumps = 0
        var opened = 0
        /// The largest periods in seconds, before and after a copy of the keyring, of messages that
        /// the copy opens.
        var opensBack: [OrdinaryApp: Double] = [:]
        var opensForward: [OrdinaryApp: Double] = [:]

        static func + (one: Summary, other: Summary) -> Summary {
            Summary(
                confirmations: one.confirmations + other.confirmations,
                refusals: one.refusals + other.refusals,
                deliveries: one.deliveries + other.deliveries,
                deliveriesToRetired: one.deliveriesToRetired + other.deliveriesToRetired,
                destroyed: one.destroyed + other.destroyed, stale: one.stale + other.stale,
                jumps: one.jumps + other.jumps, opened: one.opened + other.opened,
                opensBack: one.opensBack.merging(other.opensBack, uniquingKeysWith: max),
                opensForward: one.opensForward.merging(other.opensForward, uniquingKeysWith: max))
        }
    }

    enum Event {
        case start
        case startAgain
        case clock
        case clockStops
        case clockComesRight
        case registration(Registration)
        case confirmation(Registration, serverTime: Double?)
        case send
        case copy
        case delivery(KeyID, issued: Double, push: [UInt8]?)
    }

    /// The frequency of an event in one schedule.
    enum Frequency: CaseIterable {
        case always, sometimes, never
    }

    /// The facts about a retired key.
    struct Retirement {
        /// The elapsed time by the device's count.
        ///
        /// It grows by at most 24 hours between two observations, without the time by which the
        /// clock was set back. Each later time of the server replaces the count if `date` is known.
        var counted: Double = 0
        /// The server's time at the retirement; `nil` if it's unknown.
        let date: Double?
    }

    static let hour = 3600.0
    static let day = 24 * hour
    static let base = 1_767_225_600.0

    let seed: UInt64
    var random: SeededRandom
    let store = TestKeyringStore()
    let time = TestClock()
    let keys: DeviceKeys
    let server: SigningKey?
    var queue: [(time: Double, number: Int, event: Event)] = []
    var numbers = 0
    var summary = Summary()
    var trace: [String] = []
    let traces: Bool

    /// The true time.
    var now = base
    let deviceSkew: Double
    let serverSkew: Double
    /// The error of the device's clock, in addition to its skew.
    var offset = 0.0
    var raises: [Double] = []
    let senderSkew: Double
    let meanGap: Double
    /// A Boolean value that indicates whether the app starts regularly.
    let isRegular: Bool
    /// A Boolean value that indicates whether skews, jumps and arrivals all have extreme values.
    let isEdge: Bool
    let serverTimes: Frequency
    let losses: Double
    /// The lifetime of messages to the device's keys, in seconds.
    let lifetime: Double
    let ordinary: OrdinaryApp?
    var startsLeft: Int

    /// The server's record of the device.
    var recipient: Recipient?
    /// The key that the app knows to be confirmed, and the device's time of the confirmation.
    var confirmed: KeyID?
    var confirmedAt: Double?
    var retirements: [KeyID: Retirement] = [:]
    var lastLook: (time: Double, offset: Double)?
    var generation: UInt64 = 0
    var sent: [(key: KeyID, time: Double)] = []
    var copies: [(keys: Set<KeyID>, time: Double)] = []

    init(seed: UInt64, traces: Bool = false, server: SigningKey? = nil) {
        self.seed = seed
        self.traces = traces
        self.server = server
        var random = SeededRandom(seed: seed)
        let isEdge = Int.random(in: 0..<4, using: &random) == 0
        self.isEdge = isEdge
        let ordinary = isEdge ? nil : OrdinaryApp.random(&random)
        self.ordinary = ordinary
        func skew() -> Double {
            isEdge || Int.random(in: 0..<3, using: &random) == 0
                ? (Bool.random(using: &random) ? 48 : -48) * Self.hour
                : Double.random(in: -48...48, using: &random).rounded() * Self.hour
        }
        func one<Value>(of values: [Value], or value: Value) -> Value {
            isEdge ? value : values.randomElement(using: &random) ?? value
        }
        deviceSkew = skew()
        serverSkew = skew()
        senderSkew = skew()
        isRegular = one(of: [true, false], or: true)
        meanGap = ordinary?.gap ?? one(of: [0.2, 8, 20, 24, 40, 7 * 24], or: 24) * Self.hour
        serverTimes =
            ordinary != nil || Bool.random(using: &random)
            ? .always : one(of: [.sometimes, .never], or: .never)
        losses = ordinary != nil ? 0 : one(of: [0, 0.3, 0.8, 0.95], or: 0)
        let isLong = Int.random(in: 0..<4, using: &random) == 0
        startsLeft =
            isEdge || ordinary != nil
            ? 26 : Int.random(in: isLong ? 34...60 : 4...18, using: &random)
        let age = ordinary != nil ? 7 * Self.day : one(of: [0.5, 2, 6, 20], or: 6) * Self.day
        lifetime = ordinary != nil ? 7 * Self.day : one(of: [0.01, 1, 7, 30], or: 7) * Self.day
        keys = DeviceKeys(
            store: store,
            installation: Installation(deviceID: "device", installationID: "installation"),
            rotationAge: age, lifetime: lifetime, time: time)
        self.random = random
    }

    // MARK: Running

    /// Runs the schedule to its end.
    mutating func run() throws {
        if ordinary == nil, chance(0.1) { jump() }
        add(.start, after: 0)
        guard ordinary == nil else {
            addMessagesAndCopies()
            return try takeEvents()
        }
        for _ in 0..<(isEdge ? 4 : Int.random(in: 0...3, using: &random)) {
            let delay =
                isEdge
                ? Double.random(in: 0...40, using: &random) * Self.day
                : amount(Self.hour, 90 * Self.day)
            add(.clock, after: delay)
        }
        for _ in 0..<(isEdge ? 10 : Int.random(in: 1...5, using: &random)) {
            add(.send, after: amount(Self.hour / 10, Double(startsLeft) * meanGap))
        }
        try takeEvents()
    }

    private mutating func takeEvents() throws {
        while let next = queue.popLast() {
            now = next.time
            try take(next.event)
        }
        measureCopies()
    }

    private mutating func take(_ event: Event) throws {
        switch event {
        case .start:
            try start()
            startsLeft -= 1
            guard startsLeft > 0 else { return }
            if ordinary != nil { return addOrdinaryStart() }
            let isOff = chance(0.03)
            let gap =
                isOff
                ? amount(2 * Self.day, 60 * Self.day)
                : isRegular ? meanGap : amount(meanGap / 10, meanGap * 2)
            add(.start, after: gap)
            if gap > 2 * Self.day, chance(0.2) { queueBeforeStart(gap) }
        case .startAgain: try start()
        case .clock: try around { $0.jump() }
        case .clockStops: stopClock()
        case .clockComesRight: try around { $0.comeRight() }
        case .registration(let registration): try register(registration)
        case .confirmation(let registration, let serverTime): try confirm(registration, serverTime)
        case .send: try send()
        case .copy: copies.append((Set(store.stored?.keys.map(\.publicKey.keyID) ?? []), now))
        case .delivery(let key, let issued, let push): try deliver(key, issued, push)
        }
    }

    /// Queues a clock that stops while the device is off, and is right soon after.
    private mutating func queueBeforeStart(_ gap: Double) {
        add(.clockStops, after: gap - 1)
    }

    mutating func add(_ event: Event, after delay: Double) {
        numbers += 1
        let time = now + delay.rounded()
        let place = queue.firstIndex { $0.time <= time } ?? queue.endIndex
        queue.insert((time, numbers, event), at: place)
    }

    mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    mutating func happens(_ frequency: Frequency) -> Bool {
        switch frequency {
        case .always: true
        case .sometimes: chance(0.5)
        case .never: false
        }
    }

    /// Returns a length of time; short ones are as likely as long ones.
    mutating func amount(_ least: Double, _ most: Double) -> Double {
        exp(Double.random(in: log(least)...log(most), using: &random)).rounded()
    }

    mutating func note(_ text: @autoclosure () -> String) {
        guard traces else { return }
        let days = ((now - Self.base) / Self.day * 1000).rounded() / 1000
        let watch = store.stored?.elapsedTime
        let estimate = watch.map {
            (($0.estimate.timeIntervalSince1970 - Self.base) / Self.day * 100).rounded() / 100
        }
        let clock = ((now + deviceSkew + offset - Self.base) / Self.day * 100).rounded() / 100
        trace.append("day \(days), clock \(clock), estimate \(estimate ?? .nan): \(text())")
    }

    func broken(_ claim: String) -> Broken {
        Broken(description: "PUSHCRYPT_SEED=\(seed), day \((now - Self.base) / Self.day): \(claim)")
    }
}
