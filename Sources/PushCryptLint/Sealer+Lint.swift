public import PushCryptCore
internal import PushCryptPayload
internal import PushCryptSender

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
    /// - Throws: `PushCryptError` with `malformedJSON` or `invalidPlaceholder`.
    public func lint(
        json: some UTF8Text, headers: APNsHeaders = APNsHeaders(),
        strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws(PushCryptError) -> PayloadLint {
        try PayloadLint.lint(
            json.bytesForPushCrypt, headers, sealer: self, strings: strings,
            contentExtension: contentExtension)
    }
}
