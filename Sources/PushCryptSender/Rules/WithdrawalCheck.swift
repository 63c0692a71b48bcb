internal import PushCryptCore
internal import PushCryptPayload

/// Checks of withdrawals, which remove notifications from the device.
extension RuleCheck {
    mutating func checkWithdrawal() {
        var count = 0
        for name in Withdrawal.Member.allCases {
            guard let member = outline.document.member(name.rawValue, in: outline.bytes.span) else {
                continue
            }
            let texts = outline.document.children(of: member).map { text($0) ?? "" }
            let isValid = texts.allSatisfy {
                !$0.isEmpty && (name == .threadIDs || Withdrawal.isCollapseID($0))
            }
            guard member.kind == .array, isValid else {
                return report(.withdrawalTarget, at: Finding.Location([name.rawValue]))
            }
            count += texts.count
        }
        if !Withdrawal.counts.contains(count) {
            report(.withdrawalTarget, at: Finding.Location([]))
        }
    }
}
