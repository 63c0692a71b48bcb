import PushCryptTesting

@testable import PushCryptLint

extension PayloadLint {
    /// Checks a payload with a sealer that signs.
    init(
        json: some UTF8Text, headers: APNsHeaders = APNsHeaders(),
        exposedKeys: Set<ExposedKey> = [],
        placeholder: Placeholder = .standard, strings: (any StringTable)? = nil,
        contentExtension: ContentExtension? = nil
    ) throws {
        let sealer = Sealer(
            .signed(by: try TestKeys.sender()), placeholder: placeholder, exposedKeys: exposedKeys)
        self = try sealer.lint(
            json: json, headers: headers, strings: strings, contentExtension: contentExtension)
    }
}
