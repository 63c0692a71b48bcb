internal import PushCryptCore
internal import PushCryptPayload

/// The content of a push: its push type's own, a challenge, or a call or a withdrawal in an alert
/// push.
struct MessageContent {
    /// The type whose rules the original follows.
    let rules: PushType

    /// Decides by the push type, the kind that the sender asked for, and the original.
    ///
    /// - Throws: ``PushCryptError`` with `wrongKind` if the kind doesn't fit.
    init(_ type: PushType, as kind: MessageKind?, in outline: PayloadOutline) throws(PushCryptError)
    {
        guard kind != .challenge || [.alert, .background].contains(type) else {
            throw PushCryptError(
                .invalidPayload,
                "A challenge is a background push or an alert push. Change the push type.")
        }
        rules = Self.rules(type, as: kind, in: outline)
        guard kind == nil || kind == rules.messageKind else {
            throw PushCryptError(.wrongKind, "The kind doesn't fit the push type. Omit the kind.")
        }
    }

    private static func rules(_ type: PushType, as kind: MessageKind?, in outline: PayloadOutline)
        -> PushType
    {
        if kind == .challenge { return .challenge }
        guard type == .alert else { return type }
        if kind == .voip { return .voip }
        let mayWithdraw = kind != .notification
        return mayWithdraw && outline.isWithdrawal ? .withdrawal : .alert
    }

    /// Returns the headers, with the collapse ID of a withdrawal if the sender set none and the
    /// carrier has one.
    func headers(
        _ headers: APNsHeaders, withdrawing original: OriginalPayload,
        through carrier: CarrierProfile
    ) -> APNsHeaders {
        guard rules == .withdrawal, headers.collapseID == nil, carrier.hasCollapseID else {
            return headers
        }
        var headers = headers
        headers.collapseID = original.withdrawnCollapseID
        return headers
    }
}
