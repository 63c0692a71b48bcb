internal import Foundation
internal import PushCryptCore

/// Decodes a member as a type, with errors that contain no content.
enum MemberDecoding {
    /// Decodes a JSON value.
    ///
    /// - Throws: ``PushCryptError`` with `missingValue` or `typeMismatch`, and the location from
    ///   `path`.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], at path: [String], _ decoder: JSONDecoder
    ) throws(PushCryptError) -> Value {
        do {
            // In an array, because not every release of Foundation decodes a bare scalar.
            return try decoder.decode(
                [Value].self, from: Data([UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]))[0]
        } catch let error as PushCryptError {
            throw error
        } catch let error as DecodingError {
            throw describe(error, path)
        } catch {
            let reason =
                """
                \(location(path)) was rejected by its type with \(Swift.type(of: error)). Check \
                the type.
                """
            throw PushCryptError(.typeMismatch, reason)
        }
    }

    private static func describe(_ error: DecodingError, _ path: [String]) -> PushCryptError {
        switch error {
        case .keyNotFound(let key, let context):
            PushCryptError(
                .missingValue,
                "\(location(path, context.codingPath + [key])) is missing. Make it optional.")
        case .valueNotFound(let type, let context):
            PushCryptError(
                .missingValue,
                """
                \(location(path, context.codingPath)) is null instead of \(type). Make it \
                optional.
                """)
        case .typeMismatch(let type, let context):
            PushCryptError(
                .typeMismatch,
                "\(location(path, context.codingPath)) isn't of the type \(type). Check the type.")
        case .dataCorrupted(let context):
            PushCryptError(
                .typeMismatch,
                "\(location(path, context.codingPath)) isn't valid for its type. Check the value.")
        @unknown default:
            PushCryptError(.typeMismatch, "\(location(path)) can't be decoded. Check its type.")
        }
    }

    /// Returns the location of a member for an error.
    static func location(_ path: [String]) -> String {
        path.isEmpty ? "The payload" : "\"\(path.joined(separator: "."))\""
    }

    /// Returns the location of a coding path, without the array around the value.
    ///
    /// It contains the names that the app's types declare. The keys of a dictionary come from the
    /// payload and are left out.
    private static func location(_ path: [String], _ codingPath: [any CodingKey]) -> String {
        location(
            path
                + codingPath.dropFirst().map { key in
                    // Foundation gives only the keys of an array's elements this name.
                    if let index = key.intValue, key.stringValue == "Index \(index)" {
                        return "\(index)"
                    }
                    let mirror = Mirror(reflecting: key)
                    let isDeclared = mirror.displayStyle == .enum && mirror.children.isEmpty
                    return isDeclared ? key.stringValue : "…"
                })
    }
}
