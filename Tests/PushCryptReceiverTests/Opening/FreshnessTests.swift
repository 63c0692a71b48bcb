import Foundation
import PushCryptTesting
import TestSupport
import Testing

@testable import PushCryptReceiver

@Suite struct FreshnessTests {
    private static let day = 86_400.0

    /// Returns the code of opening a message later.
    private func code(
        after seconds: TimeInterval, lifetime: TimeInterval = 604_800,
        deliveredAfter delivery: TimeInterval? = nil,
        freshness: Freshness = .standard
    ) throws -> PushCryptError.Code? {
        let device = try TestKeys.device()
        let time = TestClock()
        let push = try Sealer(.anonymous, lifetime: lifetime, time: time)
            .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        let date = delivery.map { time.now + $0 }
        time.advance(by: seconds)
        do {
            let opener = Opener(
                keys: InMemoryKeyStore([device]), senderPolicy: .anyone, freshness: freshness,
                time: time)
            _ = try opener.open(
                SealedValue(json: push.payload, from: .apns), as: MessageKind.alert,
                deliveredAt: date)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "A message opens for its lifetime and a tolerance",
        arguments: [
            (1, 301), (60, 360), (300, 600), (301, 602), (3600, 7200), (2 * day, 4 * day),
            (7 * day, 9 * day),
            (30 * day, 32 * day),
        ])
    func messageOpensForItsLifetimeAndATolerance(lifetime: TimeInterval, limit: TimeInterval) throws
    {
        #expect(try code(after: 0, lifetime: lifetime) == nil)
        #expect(try code(after: limit, lifetime: lifetime) == nil)
        #expect(try code(after: limit + 0.01, lifetime: lifetime) == .expired)
    }

    @Test("A delivered message is judged by its delivery date")
    func deliveredMessageIsJudgedByItsDeliveryDate() throws {
        #expect(try code(after: 365 * Self.day, lifetime: 300, deliveredAfter: 600) == nil)
        #expect(try code(after: 365 * Self.day, lifetime: 300, deliveredAfter: 600.01) == .expired)
        // A date in the future doesn't count.
        #expect(try code(after: 600, lifetime: 300, deliveredAfter: 1000) == nil)
        #expect(try code(after: -3 * Self.day, deliveredAfter: 0) == .issuedInFuture)
    }

    @Test("A sender's clock may be ahead by two days") func sendersClockMayBeAheadByTwoDays() throws
    {
        #expect(try code(after: -2 * Self.day) == nil)
        #expect(try code(after: -2 * Self.day - 0.01) == .issuedInFuture)
    }

    @Test("The app chooses the limits") func appChoosesTheLimits() throws {
        let strict = Freshness(maximumLifetime: 60, maximumLead: 5)
        #expect(try code(after: 360, freshness: strict) == nil)
        #expect(try code(after: 361, freshness: strict) == .expired)
        #expect(try code(after: -6, freshness: strict) == .issuedInFuture)
    }

    @Test("The limits are 30 days and 48 hours, unless the app chooses others")
    func standardLimits() {
        let standard = Freshness.standard
        #expect(standard.maximumLifetime == 2_592_000_000 && standard.maximumLead == 172_800_000)
        #expect(Freshness(maximumLifetime: .infinity) == standard)
    }

    @Test("The app can't extend the limits", arguments: [1e300, .infinity, .nan, -1, 30 * day + 1])
    func appCannotExtendTheLimits(seconds: TimeInterval) throws {
        let freshness = Freshness(maximumLifetime: seconds, maximumLead: seconds)
        #expect(try code(after: 9 * Self.day + 0.01, freshness: freshness) == .expired)
        #expect(try code(after: -2 * Self.day - 0.01, freshness: freshness) == .issuedInFuture)
    }

    @Test(
        "The error states the age of a message",
        arguments: [
            (301.001, "5 minutes"), (7199, "119 minutes"), (7200, "2 hours"),
            (40 * 86_400, "960 hours"),
        ] as [(Double, String)])
    func errorStatesTheAgeOfAMessage(age: Double, text: String) throws {
        let message = try open(
            RawMessage(lifetime: 1, issuedAt: 1000).envelope(), with: TestKeys.device())
        let now = 1000 + UInt64(age * 1000)
        let error = #expect(throws: PushCryptError.self) {
            try Freshness.standard.check(message, arrival: now, now: now)
        }
        #expect(error?.reason.contains("issued \(text) ago") == true)
    }
}
