internal import PushCryptCore
internal import PushCryptPayload

/// Checks of withdrawals, which remove notifications from the device.
extension RuleCheck {
    mutating func checkWithdrawal() {
        var count = 0
        for name in Withdrawal.Member.allCases {
            guard let member = outline.document.member(name.rawValue, in: outline.bytes.span) else { continue }
            let texts = outline.document.children(of: member).map { text($0) ?? "" }
            let isValid = texts.allSatisfy { !$0.isEmpty && (name == .threadIDs || $0.utf8.count <= 64) }
            guard member.kind == .array, isValid else {
                return report(.withdrawalTarget, at: Finding.Location([name.rawValue]))
            }
            count += texts.count
        }
        if !Withdrawal.counts.contains(count) { report(.withdrawalTarget, at: Finding.Location([])) }
    }

    /// Checks that the push replaces the notification on a device that can't display nothing.
    package mutating func checkWithdrawal(replacedBy collapseID: String?) {
        let name = Withdrawal.Member.collapseIDs.rawValue
        guard type == .withdrawal, let member = outline.document.member(name, in: outline.bytes.span) else { return }
        let ids = outline.document.children(of: member).map { text($0) }
        // The sealer adds the header if there is one ID.
        guard ids.count > 1 || collapseID != nil, !ids.contains(collapseID) else { return }
        report(.withdrawalShown, at: Finding.Location(outside: "apns-collapse-id"))
    }
}
