internal import PushCryptPayload
internal import PushCryptSender

/// Checks of withdrawals in their context.
extension RuleCheck {
    /// Checks that the push replaces the notification on a device that can't display nothing, and
    /// that no other push has the members of a withdrawal.
    mutating func checkWithdrawal(replacedBy collapseID: String?) {
        let members = Withdrawal.Member.allCases.map {
            outline.document.member($0.rawValue, in: outline.bytes.span)
        }
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
