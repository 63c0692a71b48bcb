extension Document {
    /// The cells of a table's rows, without its head; none where there is no such table.
    func table(_ head: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0 == "| \(head) |" }) else { return [] }
        return lines[(first + 2)...].prefix { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
        }
    }

    /// What stands between each pair of marks of a snippet's source, without the indentation that all of it has.
    static func snippets(_ name: String) throws -> [String] {
        var snippets: [String] = []
        var current: (indentation: Int, lines: [Substring])?
        for line in try Document("Tests/DocsTests/Snippets/\(name).swift").text
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasSuffix("// begin") {
                current = (line.prefix { $0 == " " }.count, [])
            } else if line.hasSuffix("// end"), let snippet = current {
                snippets.append(snippet.lines.joined(separator: "\n"))
                current = nil
            } else if let indentation = current?.indentation {
                current?.lines.append(line.dropFirst(indentation))
            }
        }
        return snippets
    }
}

extension String {
    /// What stands in the first pair of backquotes; `nil` where there is none.
    var quoted: String? {
        let parts = split(separator: "`", omittingEmptySubsequences: false)
        return parts.count >= 3 ? String(parts[1]) : nil
    }
}
