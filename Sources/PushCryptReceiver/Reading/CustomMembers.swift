internal import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Custom members, each as the app's own type.
extension PayloadReader {
    /// Reads a custom member.
    ///
    /// Some services nest JSON in a string, as in `"order": "{\"id\":42}"`. Where a type cannot be read from a string as it
    /// is, the string's own JSON is read, so both forms give the same.
    ///
    /// - Parameters:
    ///   - path: the member's name; more names lead further inwards, also through nested strings.
    ///   - type: what to read it as.
    ///   - decoder: decodes it: yours, where dates or names need a strategy.
    /// - Returns: the value.
    /// - Throws: ``PushCryptError`` with `missingValue` or `typeMismatch` and the member's place.
    public func custom<Value: Decodable>(
        _ path: String..., as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws(PushCryptError) -> Value {
        try value(at: path, type, decoder)
    }

    /// Reads a custom member that may be missing.
    ///
    /// - Parameters:
    ///   - path: the member's name; more names lead further inwards.
    ///   - type: what to read it as.
    ///   - decoder: decodes it.
    /// - Returns: the value; `nil` where the payload has no such member, or `null`.
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the member's place.
    public func customIfPresent<Value: Decodable>(
        _ path: String..., as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws(PushCryptError) -> Value? {
        guard try find(path) != nil else { return nil }
        return try value(at: path, type, decoder)
    }

    private func value<Value: Decodable>(
        at path: [String], _ type: Value.Type, _ decoder: JSONDecoder
    ) throws(PushCryptError) -> Value {
        guard let found = try find(path) else {
            throw PushCryptError(.missingValue, "The payload has no member \(MemberPath.text(path)).")
        }
        do throws(PushCryptError) {
            return try MemberDecoding.decode(type, from: found, at: path, decoder)
        } catch {
            guard let nested = NestedJSON.contents(of: found) else { throw error }
            return try MemberDecoding.decode(type, from: nested, at: path, decoder)
        }
    }

    /// The JSON of a member; `nil` where there is none, or `null`.
    private func find(_ path: [String]) throws(PushCryptError) -> [UInt8]? {
        var value = json
        for (depth, name) in path.enumerated() {
            if depth > 0, let nested = NestedJSON.contents(of: value) { value = nested }
            // The payload itself is an object, with white space before it at times; a member's value has none.
            guard depth == 0 || value.first == UInt8(ascii: "{") else {
                throw PushCryptError(
                    .typeMismatch, "\(MemberPath.text(Array(path.prefix(depth)))) is not a dictionary.")
            }
            let document = try JSONDocument(scanning: value.span)
            guard let member = document.member(name, in: value.span),
                member.kind != .null
            else { return nil }
            value = Array(value[member.range])
        }
        return value
    }
}

/// JSON that a service has put into a string.
enum NestedJSON {
    /// The JSON in a string; `nil` where the value is no string, or its text is not strict JSON.
    static func contents(of value: [UInt8]) -> [UInt8]? {
        guard value.count > 2, value.first == UInt8(ascii: "\"") else { return nil }
        let text = JSONText.decoded(value.span, 1..<(value.count - 1))
        // The scanner takes objects alone; a value of any other kind is fine inside of one.
        let wrapped = Array(#"{"":"#.utf8) + text + [UInt8(ascii: "}")]
        guard let document = try? JSONDocument(scanning: wrapped.span), document.children(of: document.root).count == 1,
            let member = document.member("", in: wrapped.span)
        else { return nil }
        return Array(wrapped[member.range])
    }
}

/// How the place of a member is written.
enum MemberPath {
    static func text(_ path: [String]) -> String {
        path.isEmpty ? "The payload" : "\"\(path.joined(separator: "."))\""
    }
}
