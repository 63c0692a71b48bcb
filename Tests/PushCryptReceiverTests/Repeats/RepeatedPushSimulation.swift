import Foundation
import PushCryptSystem
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

/// Messages with doubles at random times, with and without collapse IDs, and kills between.
struct RepeatedPushSimulation {
    private struct Delivery {
        let message: Int
        let identifier: String
        let time: TimeInterval
        let kill: DisplayPhone.Kill
    }

    private let phone: DisplayPhone
    private var random: SeededRandom
    private var payloads: [Int: [UInt8]] = [:]
    /// The number of pushes that were delivered.
    private(set) var pushes = 0
    /// What went wrong.
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        phone = try DisplayPhone(
            keepsUserInfoSealed: seed.isMultiple(of: 2),
            hasFilteringEntitlement: seed.isMultiple(of: 3))
    }

    /// Delivers messages with their doubles, and then starts the app.
    mutating func run(messages: Int) throws {
        var deliveries: [Delivery] = []
        for message in 0..<messages { deliveries += plan(message) }
        var now: TimeInterval = 0
        for delivery in deliveries.sorted(by: { $0.time < $1.time }) {
            phone.clock.advance(by: delivery.time - now)
            now = delivery.time
            try deliver(delivery)
        }
        try phone.reopen()
        checkEnd(messages)
    }

    /// Returns a message's pushes: one of four messages has a collapse ID that others have, too.
    private mutating func plan(_ message: Int) -> [Delivery] {
        let collapseID = Int.random(in: 0..<4, using: &random) == 0 ? "chat-\(message % 3)" : nil
        let first = TimeInterval(message * 400)
        let delays = [0.0, 1, 30, 600, 3500, 3700, 8000]
        let count = Int.random(in: 1...3, using: &random)
        return (0..<count).map { number in
            let delay = number == 0 ? 0 : delays[Int.random(in: 0..<delays.count, using: &random)]
            // The system itself replaces a readable text if it kills the extension over a push with
            // a collapse ID.
            let mayKill = collapseID == nil && Int.random(in: 0..<4, using: &random) == 0
            let kills = DisplayPhone.Kill.allCases
            let kill = mayKill ? kills[Int.random(in: 0..<kills.count, using: &random)] : .never
            return Delivery(
                message: message, identifier: collapseID ?? "\(message).\(number)",
                time: first + delay + Double(number) / 100, kill: kill)
        }
    }

    private mutating func deliver(_ delivery: Delivery) throws {
        let text = Self.text(delivery.message)
        let payload =
            try payloads[delivery.message] ?? phone.sealed(phone.message(text), at: delivery.time)
        payloads[delivery.message] = payload
        let before = phone.shown(delivery.identifier)
        try phone.deliver(payload, delivery.identifier, kill: delivery.kill)
        pushes += 1
        let after = phone.shown(delivery.identifier)
        if before?.isHandedOver == true, after?.content.body.hasPrefix("text") != true {
            faults.append(
                "\(delivery): \(before?.content.body ?? "") was replaced by \(after?.content.body ?? "nothing")"
            )
        }
        if phone.sounds.withLock({ $0[text] ?? 0 }) > 1 {
            faults.append("\(delivery): it sounded twice")
        }
        if phone.appRuns.withLock({ $0[text] ?? 0 }) > 1 {
            faults.append("\(delivery): the app's code ran twice")
        }
    }

    private mutating func checkEnd(_ messages: Int) {
        let shown = Dictionary(grouping: phone.shown, by: \.content.body)
        for message in 0..<messages {
            let count = shown[Self.text(message)]?.count ?? 0
            // Another message with the same collapse ID has replaced it, and its texts are checked
            // at each push.
            let hasOwnIdentifiers =
                !phone.shown.contains { $0.identifier == "chat-\(message % 3)" } || count > 0
            if count > 1 { faults.append("message \(message): \(count) notifications stay") }
            if count == 0, hasOwnIdentifiers {
                faults.append("message \(message): its text is lost")
            }
        }
    }

    private static func text(_ message: Int) -> String { "text \(message)" }
}
