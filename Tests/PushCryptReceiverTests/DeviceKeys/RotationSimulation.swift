import Foundation
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// One schedule of a device, its server and APNs between them, by chance from a seed.
///
/// What the model allows:
/// - The clocks of the device, of the server that it registers with and of the one that sends are off by up to 48 hours each,
///   always by the same.
/// - The device's clock jumps, also before the first start: back by hours to years, to 1970, past 2038, ahead by up to 60
///   days; or it stood still while the device was off. It comes right again later.
/// - In 32 days it jumps forward twice at the most. Coming right after it was behind is such a jump, too. From within one
///   device a jump forward cannot be told from time that has passed, so each costs up to 24 hours of a retired key's time
///   (see ``ElapsedTime``), and a key has 48 hours more than APNs takes.
/// - The app starts after minutes or weeks, and is sometimes off for up to 60 days.
/// - A registration arrives at once, late, out of order or never; it is sent again at every start until it is confirmed.
///   The confirmation comes at once, late, twice or never, with the server's time or without.
/// - A message arrives within 30 days, in any order, often at the very end of them; its time of issue may be noted.
///
/// What must hold is in ``check()`` and its neighbours.
struct RotationSimulation {
    /// A claim that did not hold.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// What has happened, so that a test can tell that something did.
    struct Summary: Sendable {
        var confirmations = 0
        var refusals = 0
        var deliveries = 0
        var deliveriesToRetired = 0
        var destroyed = 0
        var stale = 0
        var jumps = 0
        var opened = 0

        static func + (one: Summary, other: Summary) -> Summary {
            Summary(
                confirmations: one.confirmations + other.confirmations, refusals: one.refusals + other.refusals,
                deliveries: one.deliveries + other.deliveries,
                deliveriesToRetired: one.deliveriesToRetired + other.deliveriesToRetired,
                destroyed: one.destroyed + other.destroyed, stale: one.stale + other.stale,
                jumps: one.jumps + other.jumps, opened: one.opened + other.opened)
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
        case delivery(KeyID, issued: Double, push: [UInt8]?)
    }

    /// How often something happens in one schedule.
    enum Frequency: CaseIterable {
        case always, sometimes, never
    }

    /// What is known of a key since it was retired.
    struct Retirement {
        /// The time that passed since by the device's own count: at each look what has passed since the look before, 24 hours
        /// at the most, less what the clock was set back meanwhile.
        var counted: Double = 0
        /// What the server said then, if it was asked, or what was believed, if that was later.
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
    /// By how much the device's clock is wrong, beside its skew.
    var offset = 0.0
    var raises: [Double] = []
    let senderSkew: Double
    let meanGap: Double
    /// Whether the app starts every so often, and not at random.
    let isRegular: Bool
    /// A schedule where everything is as bad as it may be at once: skews, jumps, the times of arrival.
    let isEdge: Bool
    let serverTimes: Frequency
    let notes: Frequency
    let losses: Double
    var startsLeft: Int

    /// What the server keeps.
    var recipient: Recipient?
    /// The key that the app knows to be confirmed.
    var confirmed: KeyID?
    var retirements: [KeyID: Retirement] = [:]
    var lastLook: (time: Double, offset: Double)?
    var generation: UInt64 = 0
    var lastChange = -Double.infinity

    init(seed: UInt64, traces: Bool = false, server: SigningKey? = nil) {
        self.seed = seed
        self.traces = traces
        self.server = server
        var random = SeededRandom(seed: seed)
        let isEdge = Int.random(in: 0..<4, using: &random) == 0
        self.isEdge = isEdge
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
        meanGap = one(of: [0.2, 8, 20, 24, 40, 7 * 24], or: 24) * Self.hour
        serverTimes = Bool.random(using: &random) ? .always : one(of: [.sometimes, .never], or: .never)
        notes = one(of: Frequency.allCases, or: .always)
        losses = one(of: [0, 0.3, 0.8, 0.95], or: 0)
        let isLong = Int.random(in: 0..<4, using: &random) == 0
        startsLeft = isEdge ? 40 : Int.random(in: isLong ? 34...60 : 4...18, using: &random)
        let age = one(of: [0.5, 2, 6, 20], or: 6) * Self.day
        keys = DeviceKeys(
            store: store, installation: Installation(deviceID: "device", installationID: "installation"),
            rotationAge: age, time: time)
        self.random = random
    }

    // MARK: Running

    /// Runs the schedule to its end.
    mutating func run() throws {
        if chance(0.1) { jump() }
        add(.start, after: 0)
        for _ in 0..<(isEdge ? 4 : Int.random(in: 0...3, using: &random)) {
            let delay = isEdge ? Double.random(in: 0...40, using: &random) * Self.day : amount(Self.hour, 90 * Self.day)
            add(.clock, after: delay)
        }
        for _ in 0..<(isEdge ? 10 : Int.random(in: 1...5, using: &random)) {
            add(.send, after: amount(Self.hour / 10, Double(startsLeft) * meanGap))
        }
        while let next = queue.popLast() {
            now = next.time
            try take(next.event)
        }
    }

    private mutating func take(_ event: Event) throws {
        switch event {
        case .start:
            try start()
            startsLeft -= 1
            guard startsLeft > 0 else { return }
            let isOff = chance(0.03)
            let gap =
                isOff ? amount(2 * Self.day, 60 * Self.day) : isRegular ? meanGap : amount(meanGap / 10, meanGap * 2)
            add(.start, after: gap)
            if gap > 2 * Self.day, chance(0.2) { queueBeforeStart(gap) }
        case .startAgain: try start()
        case .clock: try around { $0.jump() }
        case .clockStops: stopClock()
        case .clockComesRight: try around { $0.comeRight() }
        case .registration(let registration): try register(registration)
        case .confirmation(let registration, let serverTime): try confirm(registration, serverTime)
        case .send: try send()
        case .delivery(let key, let issued, let push): try deliver(key, issued, push)
        }
    }

    /// The clock stood still while the device was off, and is set right soon after.
    private mutating func queueBeforeStart(_ gap: Double) {
        add(.clockStops, after: gap - 1)
    }

    mutating func add(_ event: Event, after delay: Double) {
        numbers += 1
        let time = now + delay.rounded()
        let place = queue.firstIndex { $0.time <= time } ?? queue.endIndex
        queue.insert((time, numbers, event), at: place)
    }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    mutating func happens(_ frequency: Frequency) -> Bool {
        switch frequency {
        case .always: true
        case .sometimes: chance(0.5)
        case .never: false
        }
    }

    /// A length of time, short ones as likely as long ones.
    mutating func amount(_ least: Double, _ most: Double) -> Double {
        exp(Double.random(in: log(least)...log(most), using: &random)).rounded()
    }

    mutating func note(_ text: @autoclosure () -> String) {
        guard traces else { return }
        let days = ((now - Self.base) / Self.day * 1000).rounded() / 1000
        let watch = store.stored?.elapsedTime
        let believed = watch.map { (($0.estimate.timeIntervalSince1970 - Self.base) / Self.day * 100).rounded() / 100 }
        let clock = ((now + deviceSkew + offset - Self.base) / Self.day * 100).rounded() / 100
        trace.append("day \(days), clock \(clock), believed \(believed ?? .nan): \(text())")
    }

    func broken(_ claim: String) -> Broken {
        Broken(description: "PUSHCRYPT_SEED=\(seed), day \((now - Self.base) / Self.day): \(claim)")
    }
}
