internal import PushCryptSender

extension JSONText {
    /// Returns JSON with indentation, sorted by name, and without the private members of keys.
    ///
    /// A number has the digits with which it was sealed, however many.
    static func pretty(_ value: JSONValue) -> String {
        SafeText.json(lines(KeyMaterial.redacted(value), indentation: ""))
    }

    private static func lines(_ value: JSONValue, indentation: String) -> String {
        let inner = indentation + "  "
        switch value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return number.description
        case .string(let text): return quoted(text)
        case .array(let elements):
            guard !elements.isEmpty else { return "[]" }
            let lines = elements.map { inner + Self.lines($0, indentation: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let lines = sorted.map { name, value in
                "\(inner)\(quoted(name)) : \(Self.lines(value, indentation: inner))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
