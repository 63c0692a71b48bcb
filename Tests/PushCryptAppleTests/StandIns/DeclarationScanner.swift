/// Finds what a framework's sources declare for others.
///
/// It knows as much Swift as the stand-ins have: no string in them has a brace or a comment in it.
struct DeclarationScanner {
    /// Everything public, in order.
    private(set) var declarations: [StandInDeclaration] = []

    /// How many of them say themselves that they are public.
    private(set) var saidPublic = 0

    private var protocols: Set<String> = []
    private var defaults: [StandInDeclaration] = []
    private let module: String

    /// Reads the sources of a framework.
    init(module: String, sources: [String]) {
        self.module = module
        for source in sources { scan(Self.withoutComments(source)[...], owner: nil) }
        markOptional()
    }

    /// Source without its comments.
    static func withoutComments(_ source: String) -> String {
        source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
        }.joined(separator: "\n")
    }

    private mutating func scan(_ source: Substring, owner: DeclarationText?) {
        var header = ""
        var depth = 0
        var index = source.startIndex
        while index < source.endIndex {
            let character = source[index]
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            if character == "{", depth == 0 {
                let end = Self.end(of: index, in: source)
                take(header, body: source[source.index(after: index)..<end], owner: owner)
                header = ""
                index = end
            } else if character == "\n", depth == 0, !Self.goesOn(header, before: source[index...]) {
                take(header, body: "", owner: owner)
                header = ""
            } else {
                header.append(character)
            }
            if index < source.endIndex { index = source.index(after: index) }
        }
        take(header, body: "", owner: owner)
    }

    private mutating func take(_ header: String, body: Substring, owner: DeclarationText?) {
        guard header.contains(where: { !$0.isWhitespace }) else { return }
        let declared = DeclarationText(header, body: String(body))
        guard declared.kind != "import" else { return }
        let isVisible = ["open", "public"].contains(declared.access)
        if isVisible { saidPublic += 1 }
        let isType = ["class", "struct", "enum", "protocol", "extension", "actor"].contains(declared.kind)
        // Requirements and cases are as visible as their type.
        let inherits = declared.access == nil && (owner?.kind == "protocol" || declared.kind == "case")
        let isConformance = declared.kind == "extension" && declared.normal.contains(":")
        if isVisible || inherits || isConformance {
            let found = StandInDeclaration(
                module: module, owner: owner?.name ?? "", text: declared.normal)
            if owner?.kind == "extension" { defaults.append(found) } else { declarations.append(found) }
        }
        if declared.kind == "protocol" { protocols.insert(declared.name) }
        if isType, isVisible || declared.kind == "extension" { scan(body, owner: declared) }
    }

    /// A requirement for which an extension has a default stands for one that is optional.
    private mutating func markOptional() {
        for found in defaults {
            if protocols.contains(found.owner), let index = declarations.firstIndex(of: found) {
                declarations[index].text = "optional " + found.text
            } else {
                declarations.append(found)
            }
        }
    }

    /// Whether a line's end is not the end of what is declared.
    ///
    /// Attributes may stand on lines of their own, and so may the brace after a long declaration.
    private static func goesOn(_ header: String, before rest: Substring) -> Bool {
        if rest.first(where: { !$0.isWhitespace }) == "{" { return true }
        let text = header.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.hasSuffix(",") || text.hasSuffix("=")
            || (text.hasPrefix("@") && DeclarationText(text, body: "").kind.isEmpty)
    }

    private static func end(of brace: Substring.Index, in source: Substring) -> Substring.Index {
        var depth = 0
        for index in source[brace...].indices {
            if source[index] == "{" { depth += 1 }
            if source[index] == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return source.endIndex
    }
}
