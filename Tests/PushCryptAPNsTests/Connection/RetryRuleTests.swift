#if APNs
import Testing

@testable import PushCryptAPNs

@Suite("Pauses between attempts") struct RetryRuleTests {
    private let rule = RetryRule(pause: 1)

    @Test("The pauses double, and four of them follow five attempts") func doubling() {
        let pauses = (1...5).map { rule.delay(afterAttempts: $0, retryAfter: nil, chance: 1) }
        #expect(pauses == [1, 2, 4, 8, nil])
    }

    @Test("Up to half of a pause is left to chance") func chance() {
        #expect(rule.delay(afterAttempts: 3, retryAfter: nil, chance: 0.5) == 2)
    }

    @Test("Retry-After replaces the pause, up to its limit") func retryAfter() {
        #expect(rule.delay(afterAttempts: 1, retryAfter: 0, chance: 1) == 0)
        #expect(rule.delay(afterAttempts: 4, retryAfter: 30, chance: 1) == 30)
        #expect(rule.delay(afterAttempts: 1, retryAfter: 31, chance: 1) == nil)
        #expect(rule.delay(afterAttempts: 5, retryAfter: 0, chance: 1) == nil)
    }

    @Test("A push that waits before its first attempt waits one pause") func beforeTheFirst() {
        #expect(rule.delay(afterAttempts: 0, retryAfter: nil, chance: 1) == 1)
    }
}
#endif
