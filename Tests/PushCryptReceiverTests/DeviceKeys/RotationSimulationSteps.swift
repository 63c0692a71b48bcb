import Foundation
import PushCryptTesting

@testable import PushCryptReceiver

// Events on the device, at the server and of the clock.
extension RotationSimulation {
    // MARK: The device

    /// Starts the app, which sends a registration with an unconfirmed key.
    mutating func start() throws {
        let (_, registration, missesTime) = try onDevice { try $0.prepare() }
        note("start, generation \(registration.generation), key \(registration.key.keyID)")
        try checkAges()
        if missesTime { confirmedAt = nil }
        let age = confirmedAt.map { now + deviceSkew + offset - $0 } ?? -1
        guard registration.key.keyID != confirmed || !(0..<DeviceRegistrar.week).contains(age),
            !chance(losses)
        else {
            return
        }
        if ordinary != nil || chance(0.6) {
            try register(registration)
        } else {
            add(.registration(registration), after: amount(60, 5 * Self.day))
        }
    }

    mutating func confirm(_ registration: Registration, _ serverTime: Double?) throws {
        let id = registration.key.keyID
        guard let before = store.stored else { throw broken("The keyring is gone.") }
        do {
            try onDevice {
                try $0.confirm(
                    registration, serverTime: serverTime.map { Date(timeIntervalSince1970: $0) })
            }
        } catch let error as PushCryptError where error.code == .implausibleClock {
            summary.refusals += 1
            guard serverTime == nil,
                store.stored?.primary.key.publicKey == before.primary.key.publicKey
            else {
                throw broken(
                    "The server's time was there, and a key was not put into use: \(error)")
            }
            note("confirmation refused")
            return
        } catch let error as PushCryptError where error.code == .unknownKey {
            // A confirmation may arrive long after the key's retirement.
            guard !before.keys.contains(where: { $0.publicKey.keyID == id }) else { throw error }
            return
        }
        confirmed = id
        confirmedAt = now + deviceSkew + offset
        if let serverTime {
            for (id, retirement) in retirements {
                guard let date = retirement.date else { continue }
                // An answer that arrives days late, or a server whose clock was ahead.
                let isPlausible = date <= serverTime + KeyLifetime.clockTolerance
                retirements[id] =
                    isPlausible
                    ? Retirement(counted: serverTime - date, date: date) : Retirement(date: nil)
            }
        }
        // The server's time may show that the next key is due.
        add(.startAgain, after: 0)
        guard let after = store.stored, after.primary.key.publicKey != before.primary.key.publicKey
        else { return }
        summary.confirmations += 1
        note(
            "confirmed \(id)\(serverTime == nil ? "" : " with server time"), retired \(before.primary.key.publicKey.keyID)"
        )
        // A date of more than 48 hours before the estimate isn't one that a key is destroyed by.
        let known =
            before.elapsedTime.map {
                $0.estimate.timeIntervalSince1970 - KeyLifetime.clockTolerance
            } ?? 0
        retirements[before.primary.key.publicKey.keyID] = Retirement(
            date: serverTime.flatMap { $0 < known ? nil : $0 })
    }

    /// Delivers a message.
    mutating func deliver(_ id: KeyID, _ issued: Double, _ payload: [UInt8]?) throws {
        guard let ring = store.stored, let key = try? ring.key(for: id) else {
            throw broken("The key \(id) is gone before its message arrives.")
        }
        summary.deliveries += 1
        if ring.retired.contains(where: { $0.key.publicKey == key.publicKey }) {
            summary.deliveriesToRetired += 1
        }
        guard let payload, let server else { return }
        // Clocks are wrong here on purpose, so the freshness isn't checked.
        let clock = TestClock(Date(timeIntervalSince1970: issued))
        _ = try Opener(keys: store, senderPolicy: .signed(by: [server.publicKey]), time: clock)
            .open(json: payload)
        summary.opened += 1
    }

    /// Runs a step on the device by its clock, and counts the time that it can know has passed.
    private mutating func onDevice<Result>(_ body: (DeviceKeys) throws -> Result) throws -> Result {
        let clock = Date(timeIntervalSince1970: now + deviceSkew + offset)
        time.advance(by: clock.timeIntervalSince(time.now))
        let before = store.stored
        let result = try body(keys)
        guard let after = store.stored else { throw broken("There is no keyring.") }
        if after.elapsedTime?.clock == clock, let last = lastLook {
            let setBack = max(0, last.offset - offset)
            let step = min(max(0, now - last.time - setBack), ElapsedTime.maximumStep)
            for id in retirements.keys { retirements[id]?.counted += step }
        }
        if after.elapsedTime?.clock == clock { lastLook = (now, offset) }
        if before?.generation != after.generation {
            let kept = Set(after.retired.map(\.key.publicKey.keyID))
            for entry in before?.retired ?? [] where !kept.contains(entry.key.publicKey.keyID) {
                retirements[entry.key.publicKey.keyID] = nil
                summary.destroyed += 1
            }
            try checkStates(after)
        }
        return result
    }

    // MARK: The server

    /// Delivers a registration to the server, and its response to the device.
    mutating func register(_ registration: Registration) throws {
        if let recipient, recipient.key != registration.key {
            // The last message to the old key arrives as late as possible.
            try send()
        }
        let json = Array(registration.json.utf8)
        do throws(PushCryptError) {
            recipient = try Recipient(
                registration: Registration(parsing: json),
                deviceToken: String(repeating: "ab", count: 32),
                registered: Date(timeIntervalSince1970: now + serverSkew), replacing: recipient)
        } catch {
            guard let known = error.staleGeneration else { throw error }
            summary.stale += 1
            note("registration \(registration.generation) is stale")
            try onDevice { try $0.followGeneration(known, rejecting: registration) }
            return
        }
        note("registered \(registration.generation) with \(registration.key.keyID)")
        let fresh = recipient?.registration.generation ?? 0
        guard fresh >= generation else { throw broken("The server's generation goes back.") }
        generation = fresh
        if let ring = store.stored { try checkStates(ring) }
        if chance(0.3) { try send() }
        guard !chance(losses) else { return }
        let answer = happens(serverTimes) ? now + serverSkew : nil
        if ordinary != nil {
            return add(.confirmation(registration, serverTime: answer), after: amount(1, 30))
        }
        if chance(0.6) { try confirm(registration, answer) }
        if chance(0.5) {
            add(.confirmation(registration, serverTime: answer), after: amount(60, 10 * Self.day))
        }
    }

    /// Seals a message to the key that the server knows.
    mutating func send() throws {
        guard let recipient else { return }
        let some =
            isEdge ? 60 : Double.random(in: 0...recipient.lifetime, using: &random).rounded(.down)
        let delay = chance(0.4) ? recipient.lifetime : some
        sent.append((recipient.key.keyID, now))
        var payload: [UInt8]?
        if let server {
            let clock = TestClock(Date(timeIntervalSince1970: now + senderSkew))
            payload =
                try Sealer(.signed(by: server), time: clock)
                .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: recipient.key).payload
        }
        note("sent to \(recipient.key.keyID), arrives after \(delay / Self.day) days")
        add(.delivery(recipient.key.keyID, issued: now + senderSkew, push: payload), after: delay)
        // This start would destroy the key.
        if ordinary == nil, chance(isEdge ? 0.8 : 0.3) { add(.startAgain, after: delay - 1) }
    }

    // MARK: The clock

    /// Sets the clock to any time; later it's right again.
    mutating func jump() {
        let target: Double =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: -amount(Self.hour, 1000 * Self.day)
            case 1: -(now + deviceSkew) + Double(Int.random(in: 0...100_000, using: &random))
            case 2: 2_147_483_648 - now + amount(1, 3000 * Self.day)
            default: amount(Self.hour, 60 * Self.day)
            }
        set(offset: target)
    }

    /// Stops the clock while the device is off, like an empty battery.
    mutating func stopClock() {
        guard let lastLook else { return }
        set(offset: min(offset, lastLook.time + lastLook.offset - now))
    }

    mutating func comeRight() { set(offset: 0) }

    /// Changes the clock, often between two starts of the app.
    mutating func around(_ change: (inout Self) -> Void) throws {
        guard store.stored != nil, isEdge || chance(0.5) else { return change(&self) }
        try start()
        change(&self)
        add(.startAgain, after: 1)
    }

    private mutating func set(offset target: Double) {
        if target > offset {
            let window = lifetime + KeyLifetime.clockTolerance
            if now > Self.base, raises.suffix(2).count == 2, let first = raises.suffix(2).first,
                now - first <= window
            {
                // The model doesn't allow a third jump forward, so the clock is right later.
                if target == 0 { add(.clockComesRight, after: first + window - now + 1) }
                return
            }
            raises.append(now)
        }
        summary.jumps += 1
        offset = target
        note("clock is wrong by \(target / Self.day) days")
        if target != 0 { add(.clockComesRight, after: amount(60, 30 * Self.day)) }
    }
}

// The guarantees.
extension RotationSimulation {
    /// Checks that no key is in two states, and that the server doesn't seal to a retired key.
    private func checkStates(_ ring: DeviceKeyring) throws {
        let ids = ring.keys.map(\.publicKey.keyID)
        guard Set(ids).count == ids.count else { throw broken("A key is in two states.") }
        guard let key = recipient?.key else { return }
        guard
            ring.primary.key.publicKey == key
                || ring.pending.contains(where: { $0.key.publicKey == key })
        else {
            throw broken("The server seals to \(key.keyID), which is retired or gone.")
        }
    }

    /// Checks after a start that no retired key is too old.
    ///
    /// A device doesn't know how long it was off. It counts at most 24 hours between two
    /// observations, and corrects the count by the server's time. By this count, a key lives for
    /// the lifetime of its messages and 48 hours after its retirement.
    private func checkAges() throws {
        guard let ring = store.stored else { return }
        for entry in ring.retired {
            let id = entry.key.publicKey.keyID
            guard let retirement = retirements[id] else {
                throw broken("The key \(id) was never retired.")
            }
            let longest = lifetime + KeyLifetime.clockTolerance
            guard retirement.counted < longest else {
                throw broken(
                    "The key \(id) is still here \(retirement.counted / Self.day) counted days after."
                )
            }
        }
    }
}
