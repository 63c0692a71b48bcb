public import Foundation
internal import PushCryptCore

extension PayloadReader {
    /// Returns a custom member.
    ///
    /// Some services nest JSON in a string, as in `"order": "{\"id\":42}"`. If a type can't be
    /// decoded from such a string, it's decoded from the string's JSON.
    ///
    /// - Parameters:
    ///   - path: The name of the member, or the names that lead to it, even through nested strings.
    ///   - type: The type of the value.
    ///   - decoder: The decoder, with your strategies for dates and names.
    /// - Returns: The value.
    /// - Throws: ``PushCryptError`` with `missingValue` or `typeMismatch` and the member's
    ///   location.
    public func custom<Value: Decodable>(
        _ path: String..., as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws(PushCryptError) -> Value {
        guard let value = try value(at: path, type, decoder) else {
            throw PushCryptError(
                .missingValue,
                "The payload has no member \(MemberDecoding.location(path)). Check the name.")
        }
        return value
    }

    /// Returns a custom member as ``custom(_:as:using:)`` does; `nil` if it's missing or `null`.
    ///
    /// - Throws: ``PushCryptError`` with `typeMismatch` and the member's location.
    public func customIfPresent<Value: Decodable>(
        _ path: String..., as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) throws(PushCryptError) -> Value? {
        try value(at: path, type, decoder)
    }

    private func value<Value: Decodable>(
        at path: [String], _ type: Value.Type, _ decoder: JSONDecoder
    ) throws(PushCryptError) -> Value? {
        guard let found = try find(path) else { return nil }
        do throws(PushCryptError) {
            return try MemberDecoding.decode(type, from: found, at: path, decoder)
        } catch {
            guard let nested = Self.nestedJSON(in: found) else { throw error }
            return try MemberDecoding.decode(type, from: nested, at: path, decoder)
        }
    }

    /// Returns the JSON of a member; `nil` if it's missing or `null`.
    private func find(_ path: [String]) throws(PushCryptError) -> [UInt8]? {
        var value = json
        for (depth, name) in path.enumerated() {
            if depth > 0, let nested = Self.nestedJSON(in: value) { value = nested }
            // The payload is always an object, perhaps after white space.
            guard depth == 0 || value.first == UInt8(ascii: "{") else {
                throw PushCryptError(
                    .typeMismatch,
                    """
                    \(MemberDecoding.location(Array(path.prefix(depth)))) isn't a dictionary. \
                    Check the path.
                    """)
            }
            let document = try JSONDocument(scanning: value.span)
            guard let member = document.member(name, in: value.span),
                member.kind != .null
            else { return nil }
            value = Array(value[member.range])
        }
        return value
    }

    /// Returns the JSON in a string; `nil` if the value isn't a string or its text isn't strict
    /// JSON.
    static func nestedJSON(in value: [UInt8]) -> [UInt8]? {
        guard value.count > 2, value.first == UInt8(ascii: "\"") else { return nil }
        let text = JSONText.decoded(value.span, 1..<(value.count - 1))
        // The scanner accepts objects only, so the text becomes a member.
        let wrapped = Array(#"{"":"#.utf8) + text + [UInt8(ascii: "}")]
        guard let document = try? JSONDocument(scanning: wrapped.span),
            document.children(of: document.root).count == 1,
            let member = document.member("", in: wrapped.span)
        else { return nil }
        return Array(wrapped[member.range])
    }
}
