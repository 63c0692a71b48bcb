#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONText {
    /// A value as JSON that costs no byte too many: without white space, without `\/`, names in alphabetical order so
    /// that equal values have equal bytes.
    ///
    /// - Parameter value: what to encode.
    /// - Returns: the JSON in UTF-8.
    /// - Throws: ``PushCryptError`` with `invalidPayload` where the value does not encode.
    package static func encoded(_ value: some Encodable) throws(PushCryptError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            // The encoder's own error may quote the payload.
            throw PushCryptError(.invalidPayload, "The value of type \(type(of: value)) does not encode to JSON.")
        }
    }
}
