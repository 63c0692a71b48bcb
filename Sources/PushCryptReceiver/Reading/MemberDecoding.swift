internal import PushCryptCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decodes a member as a type, and says what is wrong without a word of the content.
enum MemberDecoding {
    /// Decodes JSON of any kind.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - json: JSON that was scanned.
    ///   - path: where it is, for errors.
    ///   - decoder: decodes it.
    /// - Returns: the value.
    /// - Throws: ``PushCryptError`` with `missingValue` or `typeMismatch`.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], at path: [String], _ decoder: JSONDecoder
    ) throws(PushCryptError) -> Value {
        do {
            // In an array, because not every release of Foundation takes a value that is neither object nor array.
            let values = try decoder.decode([Value].self, from: Data([UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]))
            guard let value = values.first else {
                throw PushCryptError(.typeMismatch, "\(MemberPath.text(path)) has no value.")
            }
            return value
        } catch let error as PushCryptError {
            throw error
        } catch let error as DecodingError {
            throw describe(error, path)
        } catch {
            throw PushCryptError(.typeMismatch, "\(MemberPath.text(path)) was refused (\(Swift.type(of: error))).")
        }
    }

    private static func describe(_ error: DecodingError, _ path: [String]) -> PushCryptError {
        switch error {
        case .keyNotFound(let key, let context):
            PushCryptError(
                .missingValue, "\(place(path, context.codingPath + [key])) is missing.")
        case .valueNotFound(let type, let context):
            PushCryptError(.missingValue, "\(place(path, context.codingPath)) is null, where \(type) is expected.")
        case .typeMismatch(let type, let context):
            PushCryptError(.typeMismatch, "\(place(path, context.codingPath)) is not of the type \(type).")
        case .dataCorrupted(let context):
            PushCryptError(.typeMismatch, "\(place(path, context.codingPath)) is not a value that its type takes.")
        @unknown default:
            PushCryptError(.typeMismatch, "\(MemberPath.text(path)) cannot be read as its type.")
        }
    }

    /// The place that a coding path leads to, without the array around the value.
    ///
    /// Names that the app's types declare are written out. Those of a dictionary come from the payload, and an error may be
    /// logged.
    private static func place(_ path: [String], _ codingPath: [any CodingKey]) -> String {
        MemberPath.text(path + codingPath.dropFirst().map { index($0) ?? declaredName($0) ?? "…" })
    }

    /// An element's number; Foundation names its key so, and a dictionary's key that is a number is named by that alone.
    private static func index(_ key: any CodingKey) -> String? {
        guard let index = key.intValue, key.stringValue == "Index \(index)" else { return nil }
        return "\(index)"
    }

    /// The name of a key that a type declares as a case: one with a payload of its own, and Foundation's keys for any name,
    /// hold names from outside.
    private static func declaredName(_ key: any CodingKey) -> String? {
        let mirror = Mirror(reflecting: key)
        guard mirror.displayStyle == .enum, mirror.children.isEmpty else { return nil }
        return key.stringValue
    }
}
