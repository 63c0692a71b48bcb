internal import PushCryptCore
internal import PushCryptPayload

/// Checks of withdrawals, which remove notifications from the device.
extension RuleCheck {
    mutating func checkWithdrawal() {
        var count = 0
        for name in Withdrawal.Member.allCases {
            guard let member = outline.document.member(name.rawValue, in: outline.bytes.span) else { continue }
            let texts = outline.document.children(of: member).map { text($0) ?? "" }
            let isValid = texts.allSatisfy { !$0.isEmpty && (name == .threadIDs || Withdrawal.isCollapseID($0)) }
            guard member.kind == .array, isValid else {
                return report(.withdrawalTarget, at: Finding.Location([name.rawValue]))
            }
            count += texts.count
        }
        if !Withdrawal.counts.contains(count) { report(.withdrawalTarget, at: Finding.Location([])) }
    }

    /// Checks that the push replaces the notification on a device that can't display nothing, and that no other push
    /// has the members of a withdrawal.
    package mutating func checkWithdrawal(replacedBy collapseID: String?) {
        let members = Withdrawal.Member.allCases.map { outline.document.member($0.rawValue, in: outline.bytes.span) }
        guard type == .withdrawal else {
            for (name, member) in zip(Withdrawal.Member.allCases, members) where member != nil {
                report(.withdrawalMixed, at: Finding.Location([name.rawValue]))
            }
            return
        }
        let ids = outline.document.children(of: members[0]).map { text($0) }
        // The sealer adds the header if there is one ID.
        if collapseID == nil ? ids.count == 1 : ids.contains(collapseID) { return }
        report(.withdrawalShown, at: Finding.Location(outside: "apns-collapse-id"))
    }
}
