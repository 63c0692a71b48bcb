internal import PushCryptCore
internal import PushCryptRules

/// The payload that a sender wants to be read by one device alone, scanned and without white space.
struct OriginalPayload {
    /// The JSON without white space between its tokens; otherwise byte for byte as it was given.
    let bytes: [UInt8]

    /// Where everything is in `bytes`.
    let outline: PayloadOutline

    /// How many bytes of white space were taken out.
    let whitespace: Int

    /// Scans a payload.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON`.
    init(_ json: [UInt8]) throws(PushCryptError) {
        var bytes = json
        var document = try JSONDocument(scanning: json.span)
        whitespace = document.whitespace
        if document.whitespace > 0 {
            bytes = document.minified(json.span)
            document = try JSONDocument(scanning: bytes.span)
        }
        outline = PayloadOutline(document, bytes.span)
        self.bytes = bytes
    }

    /// Refuses what must not be sealed.
    ///
    /// - Parameters:
    ///   - type: the push type, which decides what the payload must have.
    ///   - ignoredRules: the rules that the sender knows better.
    /// - Throws: ``PushCryptError`` with `alreadySealed`, or with the code of the first of Apple's rules that is broken.
    func check(_ type: PushType, ignoredRules: Set<Rule.ID>) throws(PushCryptError) {
        guard !outline.isSealed(in: bytes.span) else {
            throw PushCryptError(
                .alreadySealed, "The payload has an ENCRYPTED_DATA already. Seal the original, and that once.")
        }
        var check = RuleCheck(
            bytes: bytes, outline: outline, type: type, isSealed: false, isComplete: false,
            ignoredRules: ignoredRules)
        check.checkRequirements()
        if let finding = check.findings.first { throw finding.error }
    }
}
