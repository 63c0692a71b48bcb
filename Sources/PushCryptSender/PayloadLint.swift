internal import PushCryptCore
internal import PushCryptPayload
public import PushCryptRules

/// The findings of all rules in a payload.
///
/// ```swift
/// for finding in try sealer.lint(json: json).findings {
///     print("\(finding.rule.severity): \(finding.message) \(finding.fix)")
/// }
/// ```
public struct PayloadLint: Sendable, Hashable {
    /// A Boolean value that indicates whether the payload has an `ENCRYPTED_DATA`.
    public let isSealed: Bool

    /// The length of the payload in bytes, with white space.
    package let length: Int

    /// The maximum length that APNs accepts, in bytes.
    package let limit: Int

    /// The size budget of an original, or `nil` for a sealed payload and for an original that the sealer refuses.
    package let budget: PayloadBudget?

    /// The findings, the worst first, with at most 100 of each rule.
    public let findings: [Finding]

    /// The number of findings beyond 100 of a rule.
    package let omitted: Int

    /// Checks a payload, which is sealed if it has an `ENCRYPTED_DATA`.
    init(
        _ json: [UInt8], _ headers: APNsHeaders, _ sealer: Sealer, _ strings: (any StringTable)?,
        _ contentExtension: ContentExtension?
    ) throws(PushCryptError) {
        let type = headers.pushType
        // Files often end with a line break.
        let bytes = Array(json[JSONText.trimmed(json.span)])
        let outline = PayloadOutline(try JSONDocument(scanning: bytes.span), bytes)
        let leaves = outline.document.leaves(in: bytes.span)
        length = bytes.count
        limit = headers.maximumPayloadLength
        let content = type == .alert && outline.isWithdrawal ? .withdrawal : type
        var check = RuleCheck(outline, type: content, isComplete: true, ignoredRules: sealer.ignoredRules)
        check.isSealable = (try? headers.checkSealable()) != nil
        isSealed = check.isSealed
        check.checkRequirements()
        check.checkKeys()
        check.checkEncoding(leaves)
        check.checkLocalization(strings)
        var budget: PayloadBudget?
        if isSealed || !check.isSealable {
            check.checkSealedPayload()
            if !check.isSealable { check.report(.notSealable, at: Finding.Location([])) }
            check.checkTexts(leaves)
            if length > limit { check.report(.payloadSize, at: Finding.Location([]), "\(length - limit) too many") }
        } else {
            check.checkExposedTexts(sealer.exposedKeys, sealer.placeholder, leaves)
            check.checkWakeUp(sealer.exposedKeys)
            check.checkLocalization(of: sealer.placeholder, strings)
            do throws(PushCryptError) {
                var original = try OriginalPayload(bytes)
                var layout = try MessageLayout(original, type, sealer)
                budget = PayloadBudget(original, layout)
                _ = try layout.truncate(&original, type, sealer)
                let excess = -layout.remaining
                if excess > 0 { check.report(.payloadSize, at: Finding.Location([]), "\(excess) too many, sealed") }
            } catch {
                // A finding gives the reason.
                guard error.code == .invalidPayload else { throw error }
            }
        }
        self.budget = budget
        check.checkWithdrawal(replacedBy: headers.collapseID)
        if let collapseID = headers.collapseID {
            let location = Finding.Location(outside: "apns-collapse-id")
            check.checkText(collapseID, at: location, fix: "Replace it with an opaque identifier.")
        }
        if let contentExtension { check.checkCategory(contentExtension) }
        omitted = check.omitted
        let findings = check.findings
        self.findings = Rule.Severity.allCases.flatMap { severity in
            findings.filter { $0.rule.severity == severity }
        }
    }
}
