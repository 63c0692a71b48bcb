internal import PushCryptCore
internal import PushCryptPayload

/// The payload to seal, scanned and without white space.
struct OriginalPayload {
    /// The JSON without white space between tokens, otherwise byte for byte as given.
    let bytes: [UInt8]

    /// The locations of Apple's keys in `bytes`.
    let outline: PayloadOutline

    /// Scans a payload.
    init(_ json: [UInt8]) throws(PushCryptError) {
        var bytes = json
        var document = try JSONDocument(scanning: json.span)
        if document.whitespace > 0 {
            let minified = document.minified(json.span)
            bytes = minified.bytes
            document = minified.document
        }
        outline = PayloadOutline(document, bytes)
        self.bytes = bytes
    }

    /// Throws if the payload must not be sealed.
    ///
    /// - Throws: ``PushCryptError`` with `alreadySealed`, or with the code of the first rule that
    ///   the payload breaks.
    func check(_ type: PushType, ignoredRules: Set<Rule.ID>) throws(PushCryptError) {
        var check = RuleCheck(outline, type: type, isComplete: false, ignoredRules: ignoredRules)
        guard !check.isSealed else {
            throw PushCryptError(
                .alreadySealed,
                "The payload already has an \(Envelope.payloadKey). Seal the original payload.")
        }
        check.checkRequirements()
        if let finding = check.findings.first { throw finding.error }
    }

    /// The only collapse ID of a withdrawal, under which the push replaces the notification; `nil`
    /// if there are several.
    var withdrawnCollapseID: String? {
        let ids = outline.document.member(Withdrawal.Member.collapseIDs.rawValue, in: bytes.span)
        var children = outline.document.children(of: ids)
        guard let id = outline.document.string(children.next(), in: bytes.span),
            children.next() == nil
        else {
            return nil
        }
        return Withdrawal.isCollapseID(id) ? id : nil
    }
}
