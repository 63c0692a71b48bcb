/// A declaration's words, so that two that declare the same read the same.
///
/// Without access, `override`, inner names of parameters and the value that a property starts with; white space is single,
/// and what is read-only says so in one way.
struct DeclarationText {
    /// How far the declaration is seen; `nil` where it does not say.
    private(set) var access: String?

    /// What is declared: `class`, `func`, `case` and so on.
    private(set) var kind = ""

    /// The declared name, or the type that an extension extends.
    private(set) var name = ""

    /// The words in normal form.
    private(set) var normal = ""

    private static let accesses: Set = ["open", "public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set = [
        "class", "struct", "enum", "protocol", "extension", "actor", "func", "var", "let", "init", "case", "import",
        "typealias", "associatedtype", "subscript", "deinit",
    ]

    /// Takes a declaration up to its body, and the body, which is empty where there is none.
    init(_ header: String, body: String) {
        var rest = Substring(header.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        var kept: [String] = []
        var setsPrivately = false
        while let word = Self.takeWord(&rest) {
            if Self.accesses.contains(word) {
                access = access ?? word
            } else if word.hasSuffix("(set)") {
                setsPrivately = true
            } else if word == "class", let next = Self.word(rest), Self.kinds.contains(next) {
                kept.append(word)
            } else if Self.kinds.contains(Self.base(word)) {
                kind = Self.base(word)
                kept.append(kind == "let" ? "var" : word)
                break
            } else if word != "override" {
                kept.append(word)
            }
        }
        name = String(rest.prefix { $0.isLetter || $0.isNumber || "_`".contains($0) })
        switch kind {
        case "var", "let":
            let words = body.split { !$0.isLetter }
            let isReadOnly = kind == "let" || setsPrivately || (!body.isEmpty && !words.contains("set"))
            kept.append(Self.parts(rest, separatedBy: "=")[0] + (isReadOnly ? " { get }" : " { get set }"))
        case "func":
            kept.append(Self.withoutInnerNames(rest))
        case "init":
            kept.append((kept.popLast() ?? "") + Self.withoutInnerNames(rest))
        default:
            kept.append(String(rest))
        }
        normal = kept.joined(separator: " ")
    }

    /// The keyword of a word that may have something after it: `init` of `init?`.
    private static func base(_ word: String) -> String { word.hasPrefix("init") ? "init" : word }

    /// The next word, an attribute with what it has in parentheses; `nil` at the end.
    private static func word(_ rest: Substring) -> String? {
        var rest = rest
        return takeWord(&rest)
    }

    private static func takeWord(_ rest: inout Substring) -> String? {
        rest = rest.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        var depth = 0
        var end = rest.startIndex
        while end < rest.endIndex {
            // The parentheses of a declaration's parameters are no part of its keyword.
            if rest[end] == "(", depth == 0, rest.hasPrefix("init") { break }
            if rest[end] == " ", depth == 0 { break }
            if rest[end] == "(" { depth += 1 }
            if rest[end] == ")" { depth -= 1 }
            end = rest.index(after: end)
        }
        let word = String(rest[..<end])
        rest = rest[end...].drop { $0 == " " }
        return word
    }

    /// A signature without the names that only the function itself sees.
    private static func withoutInnerNames(_ signature: Substring) -> String {
        guard let open = signature.firstIndex(of: "("), let close = closing(of: open, in: signature) else {
            return String(signature)
        }
        let parameters = parts(signature[signature.index(after: open)..<close], separatedBy: ",").map { parameter in
            let halves = parts(parameter[...], separatedBy: ":")
            guard halves.count > 1, let label = halves[0].split(separator: " ").first else { return parameter }
            return label + ": " + halves.dropFirst().joined(separator: ": ")
        }
        return signature[...open] + parameters.joined(separator: ", ") + signature[close...]
    }

    private static func closing(of open: Substring.Index, in text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text[open...].indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// What stands between separators that are in no brackets, at least one part.
    private static func parts(_ text: Substring, separatedBy separator: Character) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if character == separator, depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map(\.trimmed)
    }
}

extension String {
    fileprivate var trimmed: String {
        split(separator: " ").joined(separator: " ")
    }
}
