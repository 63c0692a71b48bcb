internal import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

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
    public let length: Int

    /// The maximum length that APNs accepts, in bytes.
    public let limit: Int

    /// The size budget of an original, or `nil` for a sealed payload and for an original that the
    /// sealer rejects.
    public let budget: PayloadBudget?

    /// The findings, the worst first, with at most 100 of each rule.
    public let findings: [Finding]

    /// The number of findings beyond 100 of a rule.
    public let omitted: Int

    /// Checks a payload, which is sealed if it has an `ENCRYPTED_DATA`.
    static func lint(
        _ json: [UInt8], _ headers: APNsHeaders, sealer: Sealer, strings: (any StringTable)?,
        contentExtension: ContentExtension?
    ) throws(PushCryptError) -> PayloadLint {
        // Files often end with a line break.
        let bytes = Array(json[JSONText.trimmed(json.span)])
        let outline = PayloadOutline(try JSONDocument(scanning: bytes.span), bytes)
        var check = RuleCheck(outline, headers, ignoredRules: sealer.ignoredRules)
        let leaves = outline.document.leaves(in: bytes.span)
        check.checkRequirements()
        check.checkSystemMembers()
        check.checkKeys()
        check.checkEncoding(leaves)
        check.checkLocalization(strings)
        var budget: PayloadBudget?
        if check.isSealed || !check.isSealable {
            check.checkReadable(leaves, limit: headers.maximumPayloadLength)
        } else {
            check.checkOriginal(leaves, sealer: sealer, strings: strings)
            budget = try check.checkSize(sealer: sealer, type: headers.pushType)
        }
        check.checkHeaders(headers)
        if let contentExtension { check.checkCategory(contentExtension) }
        return PayloadLint(check, limit: headers.maximumPayloadLength, budget: budget)
    }

    private init(_ check: RuleCheck, limit: Int, budget: PayloadBudget?) {
        isSealed = check.isSealed
        length = check.outline.bytes.count
        self.limit = limit
        self.budget = budget
        omitted = check.omitted
        let findings = check.findings
        self.findings = Rule.Severity.allCases.flatMap { severity in
            findings.filter { $0.rule.severity == severity }
        }
    }
}

/// The steps of ``PayloadLint``.
extension RuleCheck {
    fileprivate init(_ outline: PayloadOutline, _ headers: APNsHeaders, ignoredRules: Set<Rule.ID>)
    {
        let type = headers.pushType
        let content = type == .alert && outline.isWithdrawal ? PushType.withdrawal : type
        self.init(outline, type: content, isComplete: true, ignoredRules: ignoredRules)
        isSealable = (try? headers.checkSealable()) != nil
    }

    /// Checks a payload that APNs can read: a sealed one, or one that no extension opens.
    fileprivate mutating func checkReadable(_ leaves: [JSONDocument.Leaf], limit: Int) {
        checkSealedPayload()
        if !isSealable { report(.notSealable, at: Finding.Location([])) }
        checkTexts(leaves)
        let excess = outline.bytes.count - limit
        if excess > 0 { report(.payloadSize, at: Finding.Location([]), "\(excess) too many") }
    }

    /// Checks what the sealer would leave readable of an original.
    fileprivate mutating func checkOriginal(
        _ leaves: [JSONDocument.Leaf], sealer: Sealer, strings: (any StringTable)?
    ) {
        checkClock(sealer.time.now)
        checkExposedTexts(sealer.exposedKeys, sealer.placeholder, in: leaves)
        checkWakeUp(sealer.exposedKeys)
        checkLocalization(of: sealer.placeholder, strings)
    }

    /// Checks the length of the sealed payload, and returns the size budget.
    ///
    /// - Returns: The budget; `nil` if the sealer rejects the payload, which other findings report.
    fileprivate mutating func checkSize(sealer: Sealer, type: PushType) throws(PushCryptError)
        -> PayloadBudget?
    {
        guard let sizes = try sealer.sizes(of: outline.bytes, type) else { return nil }
        if sizes.excess > 0 {
            report(.payloadSize, at: Finding.Location([]), "\(sizes.excess) too many, sealed")
        }
        return sizes.budget
    }

    /// Checks the collapse ID, which APNs and the device can read.
    fileprivate mutating func checkHeaders(_ headers: APNsHeaders) {
        checkWithdrawal(replacedBy: headers.collapseID)
        guard let collapseID = headers.collapseID else { return }
        let location = Finding.Location(outside: "apns-collapse-id")
        checkText(collapseID, at: location, fix: "Replace it with an opaque identifier.")
    }
}
