extension SignerSchedule {
    /// The counts of events, so that a test can check that they happened.
    struct Summary: Sendable {
        var opened = 0
        var openedWithRetired = 0
        var promotions = 0
        var prunings = 0
        var refusedRevoked = 0
        var refusedThief = 0
        var unsealed = 0
        var changedLists = 0
        var restoredAndDark = 0
        var rootRevocations = 0
        var protected = 0
        var misled = 0
    }
}

extension SignerSchedule.Summary {
    static func + (one: Self, other: Self) -> Self {
        var sum = one
        for path in [
            \Self.opened, \.openedWithRetired, \.promotions, \.prunings, \.refusedRevoked,
            \.refusedThief, \.unsealed,
            \.changedLists, \.restoredAndDark, \.rootRevocations, \.protected, \.misled,
        ] {
            sum[keyPath: path] += other[keyPath: path]
        }
        return sum
    }
}
