public import PushCryptCore
internal import PushCryptPayload
public import PushCryptRules

/// Checks and budgets with the options of a sealer.
extension Sealer {
    /// Returns the findings of all rules in a payload, with the options of this sealer.
    ///
    /// - Parameters:
    ///   - json: The payload in UTF-8.
    ///   - headers: The request headers.
    ///   - strings: The app's string table, for the check of loc-keys and their arguments.
    ///   - contentExtension: The app's content extension, for the check of the category.
    /// - Returns: The findings and the size budget.
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `invalidPlaceholder`.
    public func lint(
        json: some Collection<UInt8>, headers: APNsHeaders = APNsHeaders(), strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try PayloadLint(
            json: json, headers: headers,
            options: PayloadLint.Options(
                exposedKeys: exposedKeys, placeholder: placeholder, isSigned: authentication.signingKey != nil,
                truncatableFields: truncatableFields, ignoredRules: ignoredRules, strings: strings,
                contentExtension: contentExtension))
    }

    /// Returns the findings of all rules in an encodable payload, with the options of this sealer.
    ///
    /// - Parameters:
    ///   - payload: A value that encodes to a payload.
    ///   - headers: The request headers.
    ///   - strings: The app's string table.
    ///   - contentExtension: The app's content extension.
    /// - Returns: The findings and the size budget.
    /// - Throws: ``PushCryptError`` with `invalidPayload` or `invalidPlaceholder`.
    public func lint(
        _ payload: some Encodable, headers: APNsHeaders = APNsHeaders(), strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try lint(
            json: JSONText.encoded(payload), headers: headers, strings: strings, contentExtension: contentExtension)
    }

    /// Returns the size budget of a payload, exact to the byte.
    ///
    /// - Parameters:
    ///   - json: The payload in UTF-8, of any length.
    ///   - type: The push type.
    /// - Returns: The budget.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `invalidPlaceholder` or `invalidPayload`.
    public func budget(
        json: some Collection<UInt8>, type: PushType = .alert
    ) throws(PushCryptError) -> PayloadBudget {
        let original = try OriginalPayload(Array(json))
        let visible = try VisiblePart(original, type, placeholder, exposedKeys)
        let limit = type.maximumPayloadLength
        let room = MessageRoom(visible, limit: limit, isSigned: authentication.signingKey != nil)
        return PayloadBudget(original, room, limit: limit)
    }

    /// Returns the size budget of an encodable payload, exact to the byte.
    ///
    /// - Parameters:
    ///   - payload: A value that encodes to a payload.
    ///   - type: The push type.
    /// - Returns: The budget.
    /// - Throws: ``PushCryptError`` with `invalidPayload` or `invalidPlaceholder`.
    public func budget(_ payload: some Encodable, type: PushType = .alert) throws(PushCryptError) -> PayloadBudget {
        try budget(json: JSONText.encoded(payload), type: type)
    }
}
