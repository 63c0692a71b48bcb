internal import Foundation

/// A value of an Info.plist or of entitlements: strings, or the members of the list or of
/// `NSExtension`.
struct PropertyList: Decodable {
    private(set) var texts: [String] = []
    private(set) var members: [String: PropertyList] = [:]
    private(set) var isValid = false

    init(parsing data: Data) {
        // Foundation follows the nesting of tags until the stack ends.
        guard data.count(where: { $0 == UInt8(ascii: "<") }) <= 4096,
            let list = try? PropertyListDecoder().decode(Self.self, from: data)
        else { return }
        self = list
        isValid = true
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text =
            (try? value.decode(String.self)) ?? (try? value.decode(Bool.self)).map { "\($0)" }
        texts = text.map { [$0] } ?? (try? value.decode([String].self)) ?? []
        if ["", "NSExtension"].contains(decoder.codingPath.map(\.stringValue).joined()) {
            members = try value.decode([String: PropertyList].self)
        }
    }

    /// Returns the strings of a member of the list or of `NSExtension`, or `nil` if it is missing.
    subscript(key: String) -> [String]? {
        (members[key] ?? members["NSExtension"]?.members[key])?.texts
    }
}
