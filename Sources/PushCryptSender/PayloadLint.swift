internal import PushCryptCore
public import PushCryptPayload
public import PushCryptRules

/// What all rules say of a payload: Apple's, and about what is left in the clear.
///
/// The sealer refuses a payload with errors by itself; a review tells all of it, warnings and notes too. It is meant for
/// tests and for the moment at which a payload is designed, not for every push.
public struct PayloadLint: Sendable, Hashable {
    /// What a payload is judged by.
    public struct Options: Sendable {
        /// Which keys of an original stay visible.
        public var exposedKeys: Set<ExposedKey>
        /// What an original is sealed behind.
        public var placeholder: Placeholder
        /// Whether an original will be signed, which takes 72 bytes.
        public var isSigned: Bool
        /// Which texts may be cut where an original is too long.
        public var truncatableFields: [AlertField]
        /// Rules that are not asked for.
        public var ignoredRules: Set<Rule.ID>
        /// The app's string table, to check loc-keys and their arguments against.
        public var strings: (any StringTable)?
        /// The app's content extension, to check the category against.
        public var contentExtension: ContentExtension?

        /// Makes options; by default those of a sealer that signs, and nothing to check against.
        ///
        /// - Parameters:
        ///   - exposedKeys: which keys of an original stay visible.
        ///   - placeholder: what an original is sealed behind.
        ///   - isSigned: whether an original will be signed.
        ///   - truncatableFields: which texts may be cut where an original is too long.
        ///   - ignoredRules: rules that are not asked for.
        ///   - strings: the app's string table.
        ///   - contentExtension: the app's content extension.
        public init(
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

    /// What the payload was judged as.
    public let subject: LintSubject

    /// How many bytes it has, white space between its tokens included.
    public let length: Int

    /// How many bytes APNs takes.
    public let limit: Int

    /// What an original may still grow by; `nil` for what travels, and for what cannot be sealed at all.
    public let budget: PayloadBudget?

    /// Every place where a rule is broken, the worst first, then in the order of the checks; a hundred of each rule.
    public let findings: [Finding]

    /// How many findings were left out, beyond a hundred of one rule.
    public let omitted: Int

    /// Reviews a payload.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8. With an `ENCRYPTED_DATA` it is judged as what travels, otherwise as an original
    ///     that is still to be sealed.
    ///   - headers: the request headers that go with it.
    ///   - options: what it is judged by.
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `invalidPlaceholder`.
    public init(
        json: [UInt8], headers: APNsHeaders = APNsHeaders(), options: Options = Options()
    ) throws(PushCryptError) {
        let type = headers.pushType
        // A line break at the end of a file is no part of the payload.
        let json = Array(json[JSONArray.withoutWhitespaceAround(json.span)])
        let document = try JSONDocument(scanning: json.span)
        let outline = PayloadOutline(document, json.span)
        subject = outline.isSealed(in: json.span) ? .sealed : .original
        length = json.count
        limit = type.maximumPayloadLength
        var check = RuleCheck(
            bytes: json, outline: outline, type: type, subject: subject, isComplete: true)
        check.ignoredRules = options.ignoredRules
        check.checkWhatSealingNeeds()
        check.checkKeys()
        let leaves = JSONWalk.leaves(of: json.span)
        check.checkSpelling(leaves)
        check.checkLocalization(options.strings)
        switch subject {
        case .sealed:
            check.checkTravelling()
            check.checkVisibleStrings(leaves)
            if json.count > limit {
                check.report(.payloadSize, at: Finding.Place([]), "\(json.count - limit) too many")
            }
            budget = nil
        case .original:
            let budget = try Self.budget(json, type, options)
            check.checkWhatStaysVisible(exposedKeys: options.exposedKeys, placeholder: options.placeholder, leaves)
            check.checkWakeUp(options.exposedKeys)
            check.checkLocalization(of: options.placeholder, options.strings)
            if let budget, budget.remaining < 0 {
                let excess = try Self.excess(json, budget, type, options)
                if excess > 0 { check.report(.payloadSize, at: Finding.Place([]), "\(excess) too many, sealed") }
            }
            self.budget = budget
        }
        if let collapseID = headers.collapseID {
            let place = Finding.Place(outside: "apns-collapse-id")
            check.checkVisible(collapseID, at: place, mend: "Make it opaque with OpaqueIDs.")
        }
        if let content = options.contentExtension { check.checkCategory(content) }
        omitted = check.omitted
        findings = check.findings.enumerated()
            .sorted { ($0.element.rule.severity, $0.offset) < ($1.element.rule.severity, $1.offset) }.map(\.element)
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8.
    ///   - headers: the request headers that go with it.
    ///   - options: what it is judged by.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public init(
        json: some Collection<UInt8>, headers: APNsHeaders = APNsHeaders(), options: Options = Options()
    ) throws(PushCryptError) {
        try self.init(json: Array(json), headers: headers, options: options)
    }

    /// How many bytes are too many when all is cut that may be.
    private static func excess(
        _ json: [UInt8], _ budget: PayloadBudget, _ type: PushType, _ options: Options
    ) throws(PushCryptError) -> Int {
        guard type != .liveActivity, !options.truncatableFields.isEmpty else { return -budget.remaining }
        let cut = try Truncator(OriginalPayload(json), to: budget.capacity, cutting: options.truncatableFields)
        return try -(Self.budget(cut.json, type, options)?.remaining ?? budget.remaining)
    }

    private static func budget(
        _ json: [UInt8], _ type: PushType, _ options: Options
    ) throws(PushCryptError) -> PayloadBudget? {
        let original = try OriginalPayload(json)
        let limit = type.maximumPayloadLength
        do throws(PushCryptError) {
            let visible = try VisiblePart(original, type, options.placeholder, options.exposedKeys)
            return PayloadBudget(
                original, MessageRoom(visible, limit: limit, isSigned: options.isSigned), limit: limit)
        } catch {
            // What cannot be sealed has no length when sealed; a finding says why.
            guard error.code == .invalidPayload else { throw error }
            return nil
        }
    }
}
