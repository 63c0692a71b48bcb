internal import Foundation
internal import PushCryptSender

extension JSONText {
    /// Encodes JSON with indentation, sorted by name, and without the private members of keys.
    static func pretty(_ value: JSONValue) throws(PushCryptError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(KeyMaterial.redacted(value)) else {
            throw PushCryptError(.malformedJSON, "A value cannot be encoded as JSON.")
        }
        return SafeText.json(String(decoding: data, as: UTF8.self))
    }
}
