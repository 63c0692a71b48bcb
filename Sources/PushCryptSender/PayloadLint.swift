package import PushCryptCore
package import PushCryptPayload
public import PushCryptRules

/// The findings of all rules in a payload.
///
/// Use it in tests and while you design a payload. The sealer itself refuses a payload with errors.
///
/// ```swift
/// for finding in try sealer.lint(json: json).findings {
///     print("\(finding.rule.severity): \(finding.message) \(finding.fix)")
/// }
/// ```
public struct PayloadLint: Sendable, Hashable {
    /// The form of the payload.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// An original, to be sealed.
        case original
        /// A sealed payload, which has an `ENCRYPTED_DATA`.
        case sealed
    }

    /// The options of a check, by default those of a sealer that signs.
    package struct Options: Sendable {
        package var exposedKeys: Set<ExposedKey>
        package var placeholder: Placeholder
        /// A Boolean value that indicates whether an original is to be signed, which takes 72 bytes.
        package var isSigned: Bool
        package var truncatableFields: [AlertField]
        package var ignoredRules: Set<Rule.ID>
        package var strings: (any StringTable)?
        package var contentExtension: ContentExtension?

        package init(
            exposedKeys: Set<ExposedKey> = [], placeholder: Placeholder = .standard, isSigned: Bool = true,
            truncatableFields: [AlertField] = [], ignoredRules: Set<Rule.ID> = [], strings: (any StringTable)? = nil,
            contentExtension: ContentExtension? = nil
        ) {
            self.exposedKeys = exposedKeys
            self.placeholder = placeholder
            self.isSigned = isSigned
            self.truncatableFields = truncatableFields
            self.ignoredRules = ignoredRules
            self.strings = strings
            self.contentExtension = contentExtension
        }
    }

    /// The form of the payload.
    public let subject: Subject

    /// The length of the payload in bytes, with white space.
    package let length: Int

    /// The maximum length that APNs accepts, in bytes.
    package let limit: Int

    /// The size budget of an original, or `nil` for a sealed payload and for an original that the sealer refuses.
    public let budget: PayloadBudget?

    /// The findings, the worst first, with at most 100 of each rule.
    public let findings: [Finding]

    /// The number of findings beyond 100 of a rule.
    package let omitted: Int

    /// Checks a payload, which is sealed if it has an `ENCRYPTED_DATA`.
    ///
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `invalidPlaceholder`.
    package init(
        json: some UTF8Text, headers: APNsHeaders = APNsHeaders(), options: Options = Options()
    ) throws(PushCryptError) {
        let type = headers.pushType
        // Files often end with a line break.
        var bytes = json.utf8Bytes
        bytes = Array(bytes[JSONText.trimmed(bytes.span)])
        let outline = PayloadOutline(try JSONDocument(scanning: bytes.span), bytes.span)
        let leaves = outline.document.leaves(in: bytes.span)
        subject = outline.isSealed(in: bytes.span) ? .sealed : .original
        length = bytes.count
        limit = type.maximumPayloadLength
        var check = RuleCheck(
            bytes: bytes, outline: outline, type: type, isSealed: subject == .sealed, isComplete: true,
            ignoredRules: options.ignoredRules)
        check.checkRequirements()
        check.checkKeys()
        check.checkEncoding(leaves)
        check.checkLocalization(options.strings)
        switch subject {
        case .sealed:
            check.checkSealedPayload()
            check.checkTexts(leaves)
            if length > limit { check.report(.payloadSize, at: Finding.Location([]), "\(length - limit) too many") }
            budget = nil
        case .original:
            let budget = try Self.budget(bytes, type, options)
            check.checkExposedTexts(options.exposedKeys, options.placeholder, leaves)
            check.checkWakeUp(options.exposedKeys)
            check.checkLocalization(of: options.placeholder, options.strings)
            if let budget, budget.remaining < 0 {
                let excess = try Self.excess(bytes, budget, type, options)
                if excess > 0 { check.report(.payloadSize, at: Finding.Location([]), "\(excess) too many, sealed") }
            }
            self.budget = budget
        }
        if let collapseID = headers.collapseID {
            let location = Finding.Location(outside: "apns-collapse-id")
            check.checkText(collapseID, at: location, fix: "Replace it with an opaque identifier.")
        }
        if let content = options.contentExtension { check.checkCategory(content) }
        omitted = check.omitted
        findings = check.findings.enumerated()
            .sorted { ($0.element.rule.severity, $0.offset) < ($1.element.rule.severity, $1.offset) }.map(\.element)
    }

    /// Returns the number of bytes beyond the limit after truncation.
    private static func excess(
        _ json: [UInt8], _ budget: PayloadBudget, _ type: PushType, _ options: Options
    ) throws(PushCryptError) -> Int {
        guard type != .liveActivity, !options.truncatableFields.isEmpty else { return -budget.remaining }
        let truncator = try Truncator(OriginalPayload(json), to: budget.capacity, fields: options.truncatableFields)
        return try -(Self.budget(truncator.json, type, options)?.remaining ?? budget.remaining)
    }

    private static func budget(
        _ json: [UInt8], _ type: PushType, _ options: Options
    ) throws(PushCryptError) -> PayloadBudget? {
        let original = try OriginalPayload(json)
        do throws(PushCryptError) {
            let visible = try VisiblePayload(original, type, options.placeholder, options.exposedKeys)
            return PayloadBudget(original, MessageLayout(visible, type, isSigned: options.isSigned), type)
        } catch {
            // A finding gives the reason.
            guard error.code == .invalidPayload else { throw error }
            return nil
        }
    }
}
