import Foundation
import PushCryptTesting
import Testing

@testable import PushCryptReceiver

@Suite struct FreshnessTests {
    private static let day = 86_400.0

    /// Returns the code of opening a message later.
    private func code(after seconds: TimeInterval, freshness: Freshness = .standard) throws -> PushCryptError.Code? {
        let device = try TestKeys.device()
        let time = TestClock()
        let push = try Sealer(.anonymous, time: time)
            .seal(json: #"{"aps":{"alert":"a"}}"#.utf8, for: device.publicKey)
        time.advance(by: seconds)
        do {
            let opener = Opener(
                keys: InMemoryKeyStore([device]), senderPolicy: .anyone, freshness: freshness, time: time)
            _ = try opener.open(json: push.payload)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A message opens for 30 days and 48 hours") func messageOpensFor30DaysAnd48Hours() throws {
        #expect(try code(after: 0) == nil)
        #expect(try code(after: 32 * Self.day) == nil)
        #expect(try code(after: 32 * Self.day + 0.01) == .expired)
    }

    @Test("A sender's clock may be ahead by two days") func sendersClockMayBeAheadByTwoDays() throws {
        #expect(try code(after: -2 * Self.day) == nil)
        #expect(try code(after: -2 * Self.day - 0.01) == .issuedInFuture)
    }

    @Test("The app chooses the limits") func appChoosesTheLimits() throws {
        let strict = Freshness(maximumAge: 60, maximumLead: 5)
        #expect(try code(after: 60, freshness: strict) == nil)
        #expect(try code(after: 61, freshness: strict) == .expired)
        #expect(try code(after: -6, freshness: strict) == .issuedInFuture)
    }

    @Test(
        "The error states the age of a message",
        arguments: [
            (61, 60, "61 seconds"), (119, 1, "119 seconds"), (120, 1, "2 minutes"), (7199, 1, "119 minutes"),
            (7200, 1, "2 hours"), (1.5, 1, "1500 milliseconds"), (40 * 86_400, 1, "960 hours"),
        ] as [(Double, Double, String)])
    func errorStatesTheAgeOfAMessage(age: Double, limit: Double, text: String) throws {
        let freshness = Freshness(maximumAge: limit, maximumLead: 0)
        let error = #expect(throws: PushCryptError.self) {
            try freshness.check(issuedAt: 1000, now: 1000 + UInt64(age * 1000))
        }
        #expect(error?.reason.contains("issued \(text) ago") == true)
    }
}
