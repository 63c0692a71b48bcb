public import PushCryptCore
internal import PushCryptPayload
public import PushCryptRules

// What a sealer would make of a payload, without sealing it.
extension Sealer {
    /// What all rules say of a payload, by the options of this sealer.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8.
    ///   - headers: the request headers that go with it.
    ///   - strings: the app's string table, to check loc-keys and their arguments against.
    ///   - contentExtension: the app's content extension, to check the category against.
    /// - Returns: the findings, and how many bytes are left.
    /// - Throws: ``PushCryptError`` with `malformedJSON` or `invalidPlaceholder`.
    public func review(
        json: [UInt8], headers: APNsHeaders = APNsHeaders(), strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try PayloadLint(
            json: json, headers: headers,
            options: PayloadLint.Options(
                exposedKeys: exposedKeys, placeholder: placeholder, isSigned: authentication.signingKey != nil,
                truncatableFields: truncatableFields, ignoredRules: ignoredRules, strings: strings,
                contentExtension: contentExtension))
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8.
    ///   - headers: the request headers that go with it.
    ///   - strings: the app's string table.
    ///   - contentExtension: the app's content extension.
    /// - Returns: the findings, and how many bytes are left.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func review(
        json: some Collection<UInt8>, headers: APNsHeaders = APNsHeaders(), strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try review(json: Array(json), headers: headers, strings: strings, contentExtension: contentExtension)
    }

    /// The same for a payload as a value.
    ///
    /// - Parameters:
    ///   - payload: a value that encodes to a payload.
    ///   - headers: the request headers that go with it.
    ///   - strings: the app's string table.
    ///   - contentExtension: the app's content extension.
    /// - Returns: the findings, and how many bytes are left.
    /// - Throws: ``PushCryptError`` with `invalidPayload` or `invalidPlaceholder`.
    public func review(
        _ payload: some Encodable, headers: APNsHeaders = APNsHeaders(), strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try review(
            json: JSONText.encoded(payload), headers: headers, strings: strings, contentExtension: contentExtension)
    }

    /// How many bytes a payload may have when this sealer seals it, and where they go.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8; it may be too long.
    ///   - type: the push type.
    /// - Returns: the budget, exact to the byte.
    /// - Throws: ``PushCryptError`` with `malformedJSON`, `invalidPlaceholder`, or `invalidPayload` where not even the part that
    ///   stays visible can be made of it.
    public func budget(json: [UInt8], type: PushType = .alert) throws(PushCryptError) -> PayloadBudget {
        let original = try OriginalPayload(json)
        let visible = try VisiblePart(original, type, placeholder, exposedKeys)
        let limit = type.maximumPayloadLength
        let room = MessageRoom(visible, limit: limit, isSigned: authentication.signingKey != nil)
        return PayloadBudget(original, room, limit: limit)
    }

    /// The same for `Data`, or the `utf8` of a string.
    ///
    /// - Parameters:
    ///   - json: the payload in UTF-8; it may be too long.
    ///   - type: the push type.
    /// - Returns: the budget, exact to the byte.
    /// - Throws: ``PushCryptError`` as for an array of bytes.
    @inlinable
    public func budget(
        json: some Collection<UInt8>, type: PushType = .alert
    ) throws(PushCryptError) -> PayloadBudget {
        try budget(json: Array(json), type: type)
    }

    /// The same for a payload as a value.
    ///
    /// - Parameters:
    ///   - payload: a value that encodes to a payload.
    ///   - type: the push type.
    /// - Returns: the budget, exact to the byte.
    /// - Throws: ``PushCryptError`` with `invalidPayload` or `invalidPlaceholder`.
    public func budget(_ payload: some Encodable, type: PushType = .alert) throws(PushCryptError) -> PayloadBudget {
        try budget(json: JSONText.encoded(payload), type: type)
    }
}
